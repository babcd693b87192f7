#include "reference/runtime/interchange.h"

#include <fstream>
#include <set>

#include "reference/addressing/address.h"
#include "reference/scalar/storage.h"
#include "test_runtime.h"

namespace plumbline::test {

namespace {

type_agreement df64_agreed(std::uint8_t tag = 0xF2) {
  auto agreed = agree_on_df64(tag);
  REQUIRE(agreed);
  return *agreed;
}

// Aligned memory with these bytes.
shared_buffer buffer_of(const Bytes& bytes) {
  auto memory = std::make_shared<std::vector<std::max_align_t>>(bytes.size() / 16 + 1);
  std::ranges::copy(bytes, reinterpret_cast<std::uint8_t*>(memory->data()));
  return {std::shared_ptr<void>(memory, memory->data()), bytes.size()};
}

Bytes wire(const Descriptor& d) {
  const auto bytes = encode(d);
  REQUIRE(bytes);
  return *bytes;
}

}  // namespace

TEST_CASE("a df64 tensor goes through its private type and an agreement without a copy") {
  const erased_tensor x = extended({2, 2}, {df64(1, low), 2, 3, 4});
  const auto described = describe(x, df64_agreed());
  REQUIRE(described);
  const Descriptor& d = described->descriptor;
  CHECK(d.header.type_tag == 0xF2);
  CHECK(d.header.layout_tag == layout::row_major);
  CHECK(d.element_bits() == 128);
  REQUIRE(described->buffers.size() == 1);
  CHECK(described->buffers[0].bytes.get() == x.payload().get());
  CHECK(described->buffers[0].size == 64);

  // What a stranger reads there: the bytes of hi and lo.
  const auto place = address(d, {1, 0});
  REQUIRE(place);
  const auto* bytes = static_cast<const std::uint8_t*>(described->buffers[0].bytes.get());
  CHECK(load_df64(std::span<const std::uint8_t, 16>(bytes + place->byte, 16)) == df64(3));
  CHECK(same_bits(load_df64(std::span<const std::uint8_t, 16>(bytes, 16)), df64(1, low)));

  const auto back = tensor_over(wire(d), described->buffers, df64_agreed());
  REQUIRE(back);
  CHECK(back->shares_payload_with(x));
  CHECK(back->type() == type_of<df64>());
  CHECK(back->shape() == x.shape());
  CHECK(equal_bits(elements<df64>(*back), elements<df64>(x)));
}

TEST_CASE("every view survives the way through a descriptor") {
  const erased_tensor x = of<double>({2, 3}, {0, 1, 2, 3, 4, 5});
  for (const erased_tensor& view :
       {x, *x.permuted({1, 0}), *x.viewed({2, 3}, {-3, -1}, 5), *x.viewed({2, 2}, {0, 2}, 1),
        *x.viewed({}, {}, 4), *x.viewed({2}, {1}, 3)}) {
    const auto described = describe(view);
    REQUIRE(described);
    const auto back = tensor_over(wire(described->descriptor), described->buffers);
    REQUIRE(back);
    CHECK(back->shares_payload_with(x));
    CHECK(back->shape() == view.shape());
    CHECK(elements<double>(*back) == elements<double>(view));
  }
}

TEST_CASE("standard types and bf16 go under the specification's own tags") {
  const auto tag = [](const erased_tensor& x) { return describe(x)->descriptor.header.type_tag; };
  CHECK(tag(of<bf16>({1}, {bf16(1.f)})) == 0x02);
  CHECK(tag(of<float>({1}, {1})) == 0x03);
  CHECK(tag(of<double>({1}, {1})) == 0x04);
  CHECK(tag(of<std::int32_t>({1}, {1})) == 0x14);
  CHECK(tag(of<std::int64_t>({1}, {1})) == 0x16);
  CHECK(refused(describe(of<truth>({1}, {truth::yes})), unsupported_type, "bool"));
}

TEST_CASE("without an agreement a private type goes neither way") {
  const erased_tensor x = extended({1}, {1});
  CHECK(refused(describe(x), no_agreement, "df64"));
  const auto described = describe(x, df64_agreed(0xF2));
  const Bytes bytes = wire(described->descriptor);
  CHECK(refused(tensor_over(bytes, described->buffers), no_agreement, "0xf2"));
  CHECK(refused(tensor_over(bytes, described->buffers, df64_agreed(0xF3)), no_agreement));
  // The same tag, agreed for a section that says something else.
  type_agreement other;
  REQUIRE(other.add(0xF2, type_of<df64>(), {.bit_width = 128}));
  CHECK(refused(tensor_over(bytes, described->buffers, other), no_agreement, "section"));
}

TEST_CASE("an agreement is about one private tag and one external scalar of its width") {
  type_agreement agreed = df64_agreed();
  CHECK(refused(agreed.add(0x02, type_of<df64>(), {.bit_width = 128}), invalid_argument));
  CHECK(refused(agreed.add(0xFF, type_of<df64>(), {.bit_width = 128}), invalid_argument));
  CHECK(refused(agreed.add(0xF2, type_of<df64>(), {.bit_width = 128}), invalid_argument));
  CHECK(refused(agreed.add(0xF3, type_of<df64>(), {.bit_width = 128}), invalid_argument));
  CHECK(refused(agreed.add(0xF3, type_of<bf16>(), {.bit_width = 16}), invalid_argument));
  CHECK(refused(agreed.add(0xF3, type_of<double>(), {.bit_width = 64}), invalid_argument));
  type_agreement fresh;
  CHECK(refused(fresh.add(0xF3, type_of<df64>(), {.bit_width = 64}), invalid_argument, "128"));
  CHECK(refused(fresh.add(0xF3, type_of<df64>(), {.bit_width = 129}), invalid_argument, "EXT-19"));
}

TEST_CASE("every layout that no view has is refused by its name") {
  // Sound descriptors of f32 in every layout that the specification knows.
  std::set<std::uint8_t> refused_layouts, taken;
  for (const char* file : {"cpl_types.jsonl", "hil.jsonl"}) {
    std::ifstream lines(std::string(PLUMBLINE_SOURCE_DIR "/corpus/vectors/") + file);
    REQUIRE(lines);
    for (std::string line; std::getline(lines, line);) {
      const std::string_view mark = "\"bytes\":\"";
      const std::size_t begin = line.find(mark) + mark.size();
      if (!line.contains("\"op\":\"decode\"")) continue;
      const auto bytes = from_hex(line.substr(begin, line.find('"', begin) - begin));
      REQUIRE(bytes);
      const auto d = decode(*bytes);
      if (!d || d->header.type_tag != 0x03 || d->quantization || d->has_dynamic_dimension()) {
        continue;
      }
      const std::uint8_t tag = d->header.layout_tag;
      if (tag == layout::row_major || tag == layout::column_major || tag == layout::strided) {
        std::vector<shared_buffer> buffers;
        for (const auto& handle : d->buffers.handles) {
          buffers.push_back(buffer_of(Bytes(handle.byte_size)));
        }
        CHECK(tensor_over(*bytes, buffers));
        taken.insert(tag);
      } else {
        CHECK(refused(tensor_over(*bytes, {}), unsupported_layout, layout::name(tag)));
        refused_layouts.insert(tag);
      }
    }
  }
  CHECK(taken.size() == 3);
  CHECK(refused_layouts == std::set<std::uint8_t>{layout::tiled, layout::morton, layout::coo,
                                                  layout::csr, layout::csc, layout::csf,
                                                  layout::block_paged, layout::composite,
                                                  layout::hilbert});
}

TEST_CASE("a descriptor that is no sound view of its buffers is refused") {
  const erased_tensor x = of<double>({2}, {1, 2});
  auto described = describe(x);
  const Descriptor d = described->descriptor;
  const std::vector<shared_buffer>& buffers = described->buffers;
  CHECK(refused(tensor_over(Bytes{1, 2, 3}, buffers), invalid_descriptor));
  CHECK(refused(tensor_over(wire(d), {}), invalid_descriptor));
  CHECK(refused(tensor_over(wire(d), {buffers[0], buffers[0]}), invalid_descriptor));
  CHECK(refused(tensor_over(wire(d), {{buffers[0].bytes, 15}}), invalid_descriptor, "15 bytes"));

  Descriptor short_buffer = d;  // the table says too little for two elements
  short_buffer.buffers.handles[0].byte_size = 15;
  CHECK(refused(tensor_over(serialize(short_buffer), buffers), invalid_descriptor, "ELT-08"));

  const shared_buffer shifted{
      std::shared_ptr<void>(buffers[0].bytes, static_cast<char*>(buffers[0].bytes.get()) + 4), 12};
  Descriptor one = d;
  one.shape = {1};
  one.buffers.handles[0].byte_size = 12;
  CHECK(refused(tensor_over(wire(one), {shifted}), misaligned_buffer, "f64"));

  Descriptor integers = d;
  integers.header.type_tag = 0x15;  // uint32
  CHECK(refused(tensor_over(wire(integers), buffers), unsupported_type));

  Descriptor device = d;
  device.buffers.handles[0].device_tag = 1;
  CHECK(refused(tensor_over(wire(device), buffers), unsupported_layout, "memory"));

  Descriptor dynamic = d;
  dynamic.shape = {dynamic_dimension};
  CHECK(refused(tensor_over(wire(dynamic), buffers), unsupported_layout));

  Descriptor morton = d;
  morton.header.layout_tag = layout::morton;
  morton.header.rank = 1;
  Morton fields;
  fields.morton_bits = {1};
  morton.layout = fields;
  CHECK(refused(tensor_over(wire(morton), buffers), unsupported_layout, "Morton"));
}

TEST_CASE("a described buffer has the alignment that its descriptor promises") {
  for (std::size_t n = 1; n < 40; ++n) {
    const erased_tensor x = of<float>({n}, std::vector<float>(n, 1));
    for (const erased_tensor& t : {x, *x.duplicate(), *x.materialised()}) {
      const auto described = describe(t);
      REQUIRE(described);
      const auto place = reinterpret_cast<std::uintptr_t>(described->buffers[0].bytes.get());
      CHECK(place % described->descriptor.buffers.handles[0].alignment == 0);
    }
  }
  const erased_tensor x = of<float>({4}, {1, 2, 3, 4});
  const std::shared_ptr<void> inside(x.payload(), static_cast<float*>(x.payload().get()) + 1);
  const auto lent = erased_tensor::over(type_of<float>(), inside, 3, {3});
  REQUIRE(lent);
  CHECK(refused(describe(*lent), misaligned_buffer, "duplicate"));
  CHECK(describe(*lent->duplicate()));
}

TEST_CASE("a complex tensor is refused by its type") {
  const erased_tensor x = of<double>({2}, {1, 2});
  Descriptor complex128 = describe(x)->descriptor;
  complex128.header.type_tag = 0x51;
  complex128.shape = {1};
  CHECK(refused(tensor_over(wire(complex128), describe(x)->buffers), unsupported_type, "0x51"));
}

TEST_CASE("a quantized tensor holds no elements that a view could lend") {
  // Two int8 elements in the eight bytes of two int32.
  const erased_tensor x = of<std::int32_t>({2}, {1, 2});
  Descriptor d = describe(x)->descriptor;
  d.header.type_tag = 0x11;
  d.header.flags |= flag::quantization;
  Quantization& q = d.quantization.emplace();
  q.scheme_tag = 1;
  q.scheme = PerTensorAffine{};
  CHECK(refused(tensor_over(wire(d), describe(x)->buffers), unsupported_layout, "quantized"));
}

TEST_CASE("a column-major descriptor is a strided view") {
  Bytes bytes(6 * 8);
  for (std::size_t i = 0; i < 6; ++i) {
    store_double(std::span<std::uint8_t, 8>(bytes.data() + 8 * i, 8), static_cast<double>(i));
  }
  Descriptor d;
  d.header.type_tag = 0x04;
  d.header.layout_tag = layout::column_major;
  d.shape = {2, 3};
  const auto authored = author(d, {48});
  REQUIRE(authored);
  const auto t = tensor_over(wire(*authored), {buffer_of(bytes)});
  REQUIRE(t);
  CHECK(t->strides() == stride_type{1, 2});
  CHECK(elements<double>(*t) == std::vector<double>{0, 2, 4, 1, 3, 5});
}

TEST_CASE("a buffer is written by its sole holder, and never where it was lent for reading") {
  Bytes bytes(16);
  auto buffer = std::optional(buffer_of(bytes));
  Descriptor d;
  d.header.type_tag = 0x04;
  d.header.layout_tag = layout::row_major;
  d.shape = {2};
  const Bytes descriptor = wire(*author(d, {16}));
  erased_tensor reading = *tensor_over(descriptor, {*buffer}, {}, false);
  erased_tensor writing = *tensor_over(descriptor, {*buffer});
  CHECK(refused(writing.element_mutable<double>({0}), shared_payload));
  buffer.reset();
  CHECK(refused(reading.element_mutable<double>({0}), read_only_payload));
  reading = extended({1}, {1});
  REQUIRE(writing.element_mutable<double>({0}));
}

}  // namespace plumbline::test
