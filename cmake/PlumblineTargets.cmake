# What every target of this project shares.
#
# -ffp-contract=off is a PUBLIC option of the libraries: a consumer that contracts a*b+c inside our
# inline functions would change their bits (g++ contracts by default, clang within an expression).

function(plumbline_settings target)
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_compile_options(${target} PUBLIC -ffp-contract=off)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
    # Each reports the standard library's own code: std::string's (GCC bug 105651), std::stable_sort's.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
  if(PLUMBLINE_SANITIZE)  # g++ sees uninitialised values in what the sanitizers add, as in std::regex
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
  if(PLUMBLINE_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# A program that people run: bin/NAME in the build tree. Nothing to do where it isn't built.
function(plumbline_program target name)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  endif()
endfunction()

# Text in and out: costly to compile with the sanitizers, and no optimisation is needed to watch it.
function(plumbline_unoptimised_when_sanitized)
  foreach(target ${ARGN})
    if(PLUMBLINE_SANITIZE AND TARGET ${target})
      target_compile_options(${target} PRIVATE -O0)
    endif()
  endforeach()
endfunction()
