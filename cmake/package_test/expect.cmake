# What both consumers must print: the worked example of metadata.md, decoded.
set(expected "float32 3x4, 61 bytes, written again unchanged\n")

function(expect_consumer program)
  execute_process(COMMAND ${program} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "the consumer printed '${output}', expected '${expected}'")
  endif()
  message("${output}")
endfunction()

# The flags that our inline arithmetic needs, and none of our own strictness.
function(expect_flags text)
  foreach(flag "-ffp-contract=off" "-std=[a-z+]*2[3b]")
    if(NOT text MATCHES "${flag}")
      message(FATAL_ERROR "${flag} did not reach the consumer: ${text}")
    endif()
  endforeach()
  if(text MATCHES "-Werror")
    message(FATAL_ERROR "-Werror reached the consumer: ${text}")
  endif()
endfunction()
