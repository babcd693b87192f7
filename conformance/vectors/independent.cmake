# The vector compiler shares no code with the reference: its targets link nothing but each other, the
# numeric questions with the oracle, and the JSON library; no source of any of them includes a header of
# reference/ or kernels/, and the program holds no symbol of plumbline outside their namespaces.
string(REPLACE "," ";" links "${LINKS}")
list(REMOVE_ITEM links nlohmann_json::nlohmann_json plumbline_vectors plumbline_numeric)
if(links)
  message(FATAL_ERROR "the vector compiler links ${links}")
endif()

file(GLOB sources ${SOURCES}/*.h ${SOURCES}/*.cpp ${SOURCES}/../numeric/*.h ${SOURCES}/../numeric/*.cpp
  ${SOURCES}/../oracle/*_oracle.h ${SOURCES}/../oracle/*_oracle.cpp ${SOURCES}/../oracle/real.h)
list(LENGTH sources count)
if(count LESS 25)
  message(FATAL_ERROR "only ${count} sources in ${SOURCES}")
endif()
foreach(source ${sources})
  file(STRINGS ${source} includes REGEX "#include.*(reference|kernels)/")
  if(includes)
    message(FATAL_ERROR "${source}: ${includes}")
  endif()
endforeach()

execute_process(COMMAND ${NM} -C ${PROGRAM} OUTPUT_VARIABLE symbols RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT symbols MATCHES "plumbline::vectors::write_descriptor")
  message(FATAL_ERROR "cannot list the symbols of ${PROGRAM}")
endif()
foreach(space vectors numeric oracle)
  string(REPLACE "plumbline::${space}::" "" symbols "${symbols}")
endforeach()
string(REGEX MATCH "[^\n]*plumbline::[^\n]*" foreign "${symbols}")
if(foreign)
  message(FATAL_ERROR "a symbol from outside the compiler: ${foreign}")
endif()
