# The canary passes on our own flags, and names the fault on the flags and settings it exists for.

function(canary_program name)
  add_executable(${name} canary_main.cpp)
  target_compile_features(${name} PRIVATE cxx_std_23)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()

function(canary_must_name fault test program)
  add_test(NAME ${test} COMMAND ${program} ${ARGN})
  set_tests_properties(${test} PROPERTIES
    PASS_REGULAR_EXPRESSION "fault: ${fault}" SKIP_REGULAR_EXPRESSION "skipped: ")
endfunction()

canary_program(canary)
plumbline_settings(canary)
add_test(NAME canary COMMAND canary)
set_tests_properties(canary PROPERTIES FAIL_REGULAR_EXPRESSION "fault: ")
canary_must_name("rounding mode" canary_sees_upward canary upward)
canary_must_name("rounding mode" canary_sees_downward canary downward)
canary_must_name("rounding mode" canary_sees_toward_zero canary toward_zero)
canary_must_name("flush to zero" canary_sees_flush canary flush)
canary_must_name("denormals are zero" canary_sees_denormals canary denormals)

# Contraction needs an instruction to contract to: x86-64 has none without -mfma.
canary_program(canary_contracted)
target_compile_options(canary_contracted PRIVATE -O2 -ffp-contract=fast)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(canary_contracted PRIVATE -mfma)
endif()
canary_must_name("contraction" canary_sees_contraction canary_contracted)

canary_program(canary_fast_math)
target_compile_options(canary_fast_math PRIVATE -O2 -ffast-math)
target_compile_definitions(canary_fast_math PRIVATE PLUMBLINE_CANARY_OF_FAST_MATH)
target_link_options(canary_fast_math PRIVATE -ffast-math)
canary_must_name("reassociation" canary_sees_fast_math canary_fast_math)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")  # the start-up code there flushes subnormals
  canary_must_name("flush to zero" canary_sees_fast_math_link canary_fast_math)
endif()

# A user's own -ffast-math does not get past the first header.
add_test(NAME fast_math_does_not_compile
  COMMAND ${CMAKE_CXX_COMPILER} -std=c++2b -ffast-math -fsyntax-only -I${PROJECT_SOURCE_DIR}
    ${CMAKE_CURRENT_SOURCE_DIR}/canary_main.cpp)
set_tests_properties(fast_math_does_not_compile PROPERTIES
  PASS_REGULAR_EXPRESSION "needs IEEE semantics")
