import { badRequest } from '../http/admin-error.ts';

/**
 * Splits the body of a deployment: a JSON object, immediately followed by the module.
 * @throws AdminError 400 when it does not begin with an object
 */
export function splitUpload(bytes: Buffer): { readonly json: Buffer; readonly module: Buffer } {
  const end = endOfObject(bytes);
  if (end === undefined) throw badRequest('the body does not begin with a JSON object');
  return { json: bytes.subarray(0, end), module: bytes.subarray(end) };
}

const [quote, backslash, open, close] = [0x22, 0x5c, 0x7b, 0x7d];

function endOfObject(bytes: Buffer): number | undefined {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inText && byte === backslash) at += 1;
    else if (byte === quote) inText = !inText;
    else if (inText) continue;
    else if (byte === open) depth += 1;
    else if (byte === close) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    if (depth === 0 && !inText) return undefined;
  }
  return undefined;
}
