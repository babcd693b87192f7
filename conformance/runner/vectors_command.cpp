// plumbline vectors list|export|check: the vectors without the runner.
#include <fmt/format.h>

#include <iostream>

#include "conformance/program/commands.h"
#include "conformance/runner/case.h"
#include "conformance/runner/corpus.h"
#include "conformance/runner/pack.h"

namespace plumbline::program {

namespace {

using namespace plumbline::runner;

struct vectors_options {
  std::string folder, target, pack;
};

// A vector that differs, or nothing.
std::string first_difference(const std::vector<vectors::vector>& a,
                             const std::vector<vectors::vector>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (!(a[i] == b[i])) return a[i].id;
  return a.size() == b.size() ? "" : fmt::format("{} vectors against {}", a.size(), b.size());
}

int check(const vectors_options& o) {
  const auto all = load_folder(find_corpus(o.folder));
  const bool is_folder = std::filesystem::is_directory(o.target);
  const auto back = is_folder ? read_files(o.target) : read_pack(o.target);
  const std::string differs = first_difference(all, back);
  if (!differs.empty()) {
    std::cerr << "plumbline vectors: " << o.target << " is not the corpus: " << differs << '\n';
    return unusable;
  }
  fmt::print("{} vectors, equal to the corpus\n", back.size());
  return 0;
}

int export_all(const vectors_options& o) {
  if (o.target.empty() && o.pack.empty()) {
    std::cerr << "plumbline vectors export: name a folder, or --pack FILE\n";
    return unusable;
  }
  const auto all = load_folder(find_corpus(o.folder));
  if (!o.target.empty()) write_files(o.target, all);
  if (!o.pack.empty()) write_pack(o.pack, all);
  fmt::print("{} vectors exported\n", all.size());
  return 0;
}

int list(const vectors_options& o) {
  for (const vectors::vector& v : load_folder(find_corpus(o.folder))) std::cout << v.id << '\n';
  return 0;
}

}  // namespace

void add_vectors(CLI::App& app, int& status) {
  auto o = std::make_shared<vectors_options>();
  CLI::App* command = app.add_subcommand("vectors", "List, export or check the test vectors");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  plumbline vectors list\n"
      "  plumbline vectors export --pack vectors.jsonl.gz\n"
      "  plumbline vectors check vectors.jsonl.gz\n"
      "\nExit status: 0 done, 2 usage, or what was read back is not the corpus.");
  const auto add = [&](const char* name, const char* help, int (*action)(const vectors_options&)) {
    CLI::App* sub = command->add_subcommand(name, help);
    sub->add_option("--vectors", o->folder, "the folder of the vectors");
    sub->callback([o, action, &status] {
      try {
        status = action(*o);
      } catch (const std::exception& e) {
        std::cerr << "plumbline vectors: " << e.what() << '\n';
        status = unusable;
      }
    });
    return sub;
  };
  add("list", "one id a line", list);
  CLI::App* to =
      add("export", "plain files (.bin and JSON with a schema), or one gzip pack of JSON lines",
          export_all);
  to->add_option("DIR", o->target, "the folder to write");
  to->add_option("--pack", o->pack, "the pack to write, as vectors.jsonl.gz");
  CLI::App* from =
      add("check", "read an exported pack or folder back and compare it with the corpus", check);
  from->add_option("PACK", o->target, "the pack, or the folder")->required();
}

}  // namespace plumbline::program
