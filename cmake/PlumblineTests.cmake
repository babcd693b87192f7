# Tests stand beside the code they test (*_test.cpp) and are run by CTest.

find_package(Catch2 2 REQUIRED)

add_library(plumbline_test_main STATIC ${PROJECT_SOURCE_DIR}/cmake/test_main.cpp)
target_link_libraries(plumbline_test_main PUBLIC Catch2::Catch2)
target_compile_features(plumbline_test_main PUBLIC cxx_std_23)
# The framework is compiled anew in every build; optimising it costs minutes and gains nothing.
target_compile_options(plumbline_test_main PRIVATE -O0 -g0)

# plumbline_test(NAME SOURCES ... LIBRARIES ...)
function(plumbline_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  plumbline_settings(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} plumbline_test_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE PLUMBLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name})
endfunction()
