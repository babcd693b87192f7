// A starting point in JavaScript (Node), without packages: knows the fixed header and skips the rest
// (conformance/PROTOCOL.md). Put your reader where it says so.
//   plumbline run -- node adapter.mjs
import { createInterface } from 'node:readline';

const HELLO =
  'hello plumbline 1 name=javascript-start version=1 ops=decode modes=strict,lenient,permissive';

// The bytes of a hex word; `-` is none.
function bytes(hex) {
  if (hex === '-') return Buffer.alloc(0);
  return /^([0-9a-fA-F]{2})+$/.test(hex) ? Buffer.from(hex, 'hex') : null;
}

const refuse = (verdict, clause, offset, why) => `reject ${verdict} ${clause} ${offset} ${why}`;

// What the fixed header alone decides.
function decode(data) {
  if (data.length < 4) return refuse('malformed', 'HDR-09', 0, 'the input ends inside the magic');
  if (data.readUInt32BE(0) !== 0x48525259) return refuse('malformed', 'HDR-04', 0, 'no magic 48525259');
  if (data.length < 5) return refuse('malformed', 'HDR-09', 4, 'the input ends before the version');
  if (data[4] !== 1) {
    return refuse('unsupported', data[4] > 1 ? 'HDR-08' : 'VER-02', 4, 'another major version');
  }
  if (data.length < 10) {
    return refuse('malformed', 'HDR-09', data.length < 6 ? 5 : 6, 'the input ends before the length');
  }
  const length = data.readUInt32LE(6);
  if (length < 20) return refuse('malformed', 'HDR-06', 6, 'a length below 20');
  if (data.length < length) {
    return refuse('malformed', 'HDR-09', 6, 'the input ends before the descriptor does');
  }
  if (data[14] === 0x00 || data[14] === 0xff) return refuse('invalid', 'ELT-01', 14, 'no type tag');
  if (data[15] === 0x00 || data[15] === 0xff) return refuse('invalid', 'LAY-02', 15, 'no layout tag');
  if (data.readUInt32LE(16) > 64) return refuse('malformed', 'SHP-02', 16, 'a rank above 64');
  return 'skip only the header is read'; // <- your reader: 'accept full -', or refuse(..)
}

function reply(line) {
  if (line.startsWith('hello ')) return HELLO;
  const [id, operation, ...words] = line.split(' ');
  if (operation === undefined) return `${id || 0} error request`;
  if (operation !== 'decode') return `${id} skip unknown`;
  const data = words.length === 2 ? bytes(words[1]) : null; // words[0] is the mode
  return data === null ? `${id} error request` : `${id} ${decode(data)}`;
}

createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(`${reply(line)}\n`));
