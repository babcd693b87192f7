// metadata.md, Fixed Header and Flags; the tag spaces of element-types.md and memory-layout.md.
#include "judge.h"

#include "../types/element_type.h"

namespace plumbline {

void Header::visit(Fields& f) {
  f.u8("version_major", version_major);
  f.u8("version_minor", version_minor);
  f.u32("descriptor_length", descriptor_length);
  f.u32("flags", flags);
  f.u8("type_tag", type_tag);
  f.u8("layout_tag", layout_tag);
  f.u32("rank", rank);
}

namespace layout {

bool is_dense(std::uint8_t tag) { return (tag >= row_major && tag <= morton) || tag == hilbert; }
bool is_sparse(std::uint8_t tag) { return tag >= coo && tag <= csf; }
bool is_known(std::uint8_t tag) { return (tag >= row_major && tag <= composite) || tag == hilbert; }

std::string_view name(std::uint8_t tag) {
  switch (tag) {
    case row_major: return "row-major";
    case column_major: return "column-major";
    case strided: return "strided";
    case tiled: return "tiled";
    case morton: return "Morton";
    case coo: return "COO";
    case csr: return "CSR";
    case csc: return "CSC";
    case csf: return "CSF";
    case block_paged: return "block-paged";
    case composite: return "composite head";
    case hilbert: return "Hilbert";
  }
  return is_private_tag(tag) ? "private layout" : "unknown layout";
}

}  // namespace layout

void judge_header(const Descriptor& d, const Options& options, Faults& faults) {
  const Header& h = d.header;
  if (h.flags >> limit("FLG-02", 5) != 0)
    faults.add("FLG-02", 10, "flags " + hex_tag(h.flags), "bits 5 to 31 zero");

  bool is_private = is_private_tag(h.type_tag);
  if (is_invalid_tag(h.type_tag))
    faults.add("ELT-01", 14, "type tag " + hex_tag(h.type_tag), "a tag other than 0x00 and 0xff");
  else if (is_private && !options.agreement.covers(Agreed::type, h.type_tag))
    faults.add("EXT-18", 14, "private type tag " + hex_tag(h.type_tag), "an agreement on this type");
  else if (!is_private && !find_element_type(h.type_tag))
    faults.add("ELT-02", 14, "type tag " + hex_tag(h.type_tag), "a type of element-types.md");
  bool has_section = (h.flags & flag::extension_type) != 0;
  if (has_section && !is_private)
    faults.add("FLG-03", 14, "the extension type flag with public type tag " + hex_tag(h.type_tag),
               "the flag clear: this is not a private extension type");
  if (!has_section && is_private)
    faults.add("EXT-01", 14, "private type tag " + hex_tag(h.type_tag) + " without its section",
               "an extension type section: a private type must describe itself");

  bool has_known_layout = layout::is_known(h.layout_tag) || is_private_tag(h.layout_tag);
  if (is_invalid_tag(h.layout_tag))
    faults.add("LAY-02", 15, "layout tag " + hex_tag(h.layout_tag), "a tag other than 0x00 and 0xff");
  else if (!has_known_layout)
    faults.add("LAY-03", 15, "layout tag " + hex_tag(h.layout_tag), "a layout of memory-layout.md");

  if (h.rank > limit("SHP-02", 64u))
    faults.add("SHP-02", 16, "rank " + std::to_string(h.rank), "a rank from 0 to 64");
}

}  // namespace plumbline
