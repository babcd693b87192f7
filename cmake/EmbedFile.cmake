# Turns a data file into a C++ array of bytes, so that the programs carry their tables with them.
# plumbline_embed_file(INPUT OUTPUT.cpp SYMBOL) defines
#   namespace plumbline { extern const char SYMBOL[]; extern const std::size_t SYMBOL_size; }
function(plumbline_embed_file input output symbol)
  get_filename_component(input ${input} ABSOLUTE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${input})
  file(READ ${input} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  file(CONFIGURE OUTPUT ${output} CONTENT [[
#include <cstddef>
namespace plumbline {
extern const char @symbol@[];
extern const std::size_t @symbol@_size;
const char @symbol@[] = {@bytes@ '\0'};
const std::size_t @symbol@_size = sizeof(@symbol@) - 1;
}  // namespace plumbline
]] @ONLY)
endfunction()
