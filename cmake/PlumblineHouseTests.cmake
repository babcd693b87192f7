# Tests of the project as a whole: what is installed, other byte orders, the rules of the house.
# They say "skipped: WHY" where a tool that they need is missing.

function(plumbline_house_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
endfunction()

# The rules that no compiler sees.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME house_rules
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/house_rules.py ${PROJECT_SOURCE_DIR}
    "--interface-options=$<TARGET_PROPERTY:plumbline_reference,INTERFACE_COMPILE_OPTIONS>")
add_test(NAME house_rules_can_fail
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/house_rules_test.py)
# What sums the tests up counts them right.
add_test(NAME test_summary
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/test_summary_test.py
    ${CMAKE_COMMAND} ${CMAKE_CTEST_COMMAND})
# The README shows what the program prints.
if(TARGET plumbline)
  add_test(NAME readme
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/readme_test.py
      ${PROJECT_SOURCE_DIR}/README.md $<TARGET_FILE:plumbline>)
endif()

# What follows builds the plain library once more; instrumented builds add nothing to it.
if(PLUMBLINE_SANITIZE)
  return()
endif()

# Install, move the tree elsewhere, and use it as a stranger would.
if(PLUMBLINE_INSTALL)
  set(package_test ${PROJECT_SOURCE_DIR}/cmake/package_test)
  set(package_settings
    -DBUILD=${PROJECT_BINARY_DIR} -DWORK=${PROJECT_BINARY_DIR}/package_test -DCONSUMER=${package_test}/consumer
    -DCXX=${CMAKE_CXX_COMPILER} -DLIBDIR=${CMAKE_INSTALL_LIBDIR} -DINCLUDEDIR=${CMAKE_INSTALL_INCLUDEDIR})
  foreach(step install find_package pkg_config)
    plumbline_house_test(package_${step} ${CMAKE_COMMAND} ${package_settings} -P ${package_test}/${step}.cmake)
    set_tests_properties(package_${step} PROPERTIES FIXTURES_REQUIRED plumbline_package)
  endforeach()
  set_tests_properties(package_install PROPERTIES
    FIXTURES_REQUIRED "" FIXTURES_SETUP plumbline_package)
endif()

# The package of the suite, in a root that holds nothing else; the label asks for a bare Debian, too.
if(TARGET plumbline)
  set(suite_package_test ${PROJECT_SOURCE_DIR}/cmake/suite_package_test/test.py)
  plumbline_house_test(suite_package ${Python3_EXECUTABLE} -B ${suite_package_test}
    $<TARGET_FILE:plumbline> ${PROJECT_BINARY_DIR}/suite_package)
  plumbline_house_test(suite_package_debian ${Python3_EXECUTABLE} -B ${suite_package_test}
    $<TARGET_FILE:plumbline> ${PROJECT_BINARY_DIR}/suite_package_debian --debian)
  set_tests_properties(suite_package_debian PROPERTIES LABELS long TIMEOUT 1800)
endif()

# The same self-checking program on this machine and on a big-endian one.
set(portability_test ${PROJECT_SOURCE_DIR}/cmake/portability_test)
add_executable(portability_check ${portability_test}/main.cpp)
plumbline_settings(portability_check)
target_link_libraries(portability_check PRIVATE plumbline::reference)
add_test(NAME reference_portability COMMAND portability_check)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  return()  # the cross compiler is g++ whatever built this tree: once is enough
endif()
plumbline_house_test(reference_s390x ${CMAKE_COMMAND}
  -DSOURCE=${portability_test} -DBUILD=${PROJECT_BINARY_DIR}/portability_test-s390x
  -DTOOLCHAIN=${PROJECT_SOURCE_DIR}/cmake/toolchains/s390x-linux-gnu.cmake
  -DLAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER} -P ${portability_test}/s390x.cmake)
set_tests_properties(reference_s390x PROPERTIES PROCESSORS 2 TIMEOUT 1800)
