const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** What each ASCII character of base64 stands for; 255: nothing. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code));
  return value < 0 ? 255 : value;
});

/**
 * The bytes of a base64 text (RFC 4648, section 4, padded); null unless it is the one text for these bytes, without line
 * ends and with zeros in the bits that stand for nothing. Written out, as workflows have nothing of Node. Cost: O(text).
 */
export function fromBase64(text: string): Uint8Array | null {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.length - padding;
  if (text.length % 4 !== 0) return null;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let waiting = 0;
  let length = 0;
  for (let at = 0; at < digits; at += 1) {
    const value = VALUES[text.charCodeAt(at)] ?? 255;
    if (value === 255) return null;
    bits = ((bits << 6) | value) & 0xffff;
    waiting += 6;
    if (waiting < 8) continue;
    waiting -= 8;
    bytes[length] = (bits >> waiting) & 0xff;
    length += 1;
  }
  return (bits & ((1 << waiting) - 1)) === 0 ? bytes : null;
}
