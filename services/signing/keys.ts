import {
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
} from 'node:crypto';
import { OpalineError } from '../../contracts/errors.ts';
import type { PasskeyAlgorithm } from '../../contracts/passkey.ts';
import { computeOnce, oncePer } from '../../core/memory/function-cache.ts';
import { sha256 } from '../stores/json-objects.ts';

/** A fresh Ed25519 key: private as PKCS#8 PEM, public as SPKI PEM. */
export type SigningKey = { privateKey: string; publicKey: string; keyid: string };

/** Generates an Ed25519 key with the randomness of the operating system. */
export function generateSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyid: keyIdOf(publicKey),
  };
}

/** A process meets few keys, and reads each for every signature that it makes or looks at. */
const KEPT = 256;

/** Reads a private key. Throws KEY_INVALID for anything but Ed25519 in PKCS#8 PEM; the message holds no key material. */
export const readPrivateKey = computeOnce((pem: string) => ed25519(pem, 'PRIVATE'), KEPT);

/** Each guess at a passphrase costs 16 MiB and five passes over them: the most memory with which OpenSSL reads a key. */
const SCRYPT = { N: 2 ** 14, r: 8, p: 5 };

/**
 * A private key (PKCS#8 PEM) encrypted under a passphrase: PKCS#8 too (RFC 5958), by PBES2 with scrypt (RFC 7914, section
 * 7) and AES-256-CBC, as `openssl pkcs8 -scrypt` writes it. Node reads this form, and writes it with a weak PBKDF2 only.
 */
export function encryptKey(privateKey: string, passphrase: string): string {
  const [salt, iv] = [randomBytes(16), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', scryptSync(passphrase, salt, 32, SCRYPT), iv);
  const key = readPrivateKey(privateKey).export({ type: 'pkcs8', format: 'der' });
  const { N, r, p } = SCRYPT;
  const scrypt = der(
    0x30,
    Buffer.from('06092b06010401da47040b', 'hex'),
    der(0x30, octets(salt), ...[N, r, p].map(int)),
  );
  const aes = der(0x30, Buffer.from('060960864801650304012a', 'hex'), octets(iv));
  const pbes2 = der(0x30, Buffer.from('06092a864886f70d01050d', 'hex'), der(0x30, scrypt, aes));
  const text = der(0x30, pbes2, octets(cipher.update(key), cipher.final())).toString('base64');
  const lines = text.match(/.{1,64}/g)!.join('\n');
  return `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${lines}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
}

/** Is this the PEM text of an encrypted private key, PKCS#8 (RFC 7468, section 11)? */
export const isEncryptedKey = (pem: string): boolean => pem.includes('BEGIN ENCRYPTED PRIVATE KEY');

/** The private key (PKCS#8 PEM) in an encrypted one; `path` names the file to people. Throws KEY_INVALID. */
export function decryptKey(pem: string, passphrase: string, path: string): string {
  try {
    const key = createPrivateKey({ key: pem, format: 'pem', passphrase });
    return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    throw new OpalineError('KEY_INVALID', `The key ${path} cannot be read with this passphrase.`);
  }
}

/** A value of ASN.1 with its tag and length (X.690); shorter than 256 bytes. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const octets = (...parts: Uint8Array[]): Buffer => der(0x04, ...parts);

/** A number below 2^15. */
const int = (value: number): Buffer => der(0x02, Buffer.from(value < 128 ? [value] : [value >> 8, value & 255]));

/**
 * Reads a public key. Throws KEY_INVALID for anything but Ed25519 in SPKI PEM, and for a point under which signatures say
 * nothing.
 */
export const readPublicKey = computeOnce((pem: string) => {
  const key = ed25519(pem, 'PUBLIC');
  return soundKey(key, isSoundPoint(spkiOf(key).subarray(-RAW_BYTES)));
}, KEPT);

/** Reads the public key of a passkey by the algorithm that the trust file names. Throws KEY_INVALID in the same way. */
export const readPasskey = ({ publicKey, algorithm }: { publicKey: string; algorithm: PasskeyAlgorithm }): KeyObject =>
  algorithm === 'Ed25519' ? readPublicKey(publicKey) : readP256(publicKey);

/** SPKI DER of a key on P-256 before x and y, which are not compressed (RFC 5480, section 2). */
const P256_HEAD = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex');

const readP256 = computeOnce((pem: string) => {
  const key = readPem(pem, 'PUBLIC');
  const der = spkiOf(key);
  return soundKey(key, der.subarray(0, -64).equals(P256_HEAD) && isPointOfP256(der.subarray(-64)));
}, KEPT);

function soundKey(key: KeyObject, isSound: boolean): KeyObject {
  if (isSound) return key;
  throw new OpalineError(
    'KEY_INVALID',
    'The key is no point of the curve, one of small order, or not in its one form: nobody signs with it alone.',
  );
}

const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** The id of a public key (SPKI PEM). Throws KEY_INVALID. */
export const keyIdOfPem = (pem: string): string => keyIdOf(readPublicKey(pem));

/** Names a key: SHA-256 of the SPKI DER of its public half, in lower-case hex. */
export const keyIdOf = oncePer((key: KeyObject): string =>
  sha256(spkiOf(key.type === 'private' ? createPublicKey(key) : key)),
);

/** Bytes of an Ed25519 public key; its SPKI DER ends with them (RFC 8410, section 4). */
const RAW_BYTES = 32;

/** The public half of a private key, as SPKI PEM. Throws KEY_INVALID. */
export const publicKeyOf = (privateKey: string): string =>
  createPublicKey(readPrivateKey(privateKey)).export({ type: 'spki', format: 'pem' }).toString();

function ed25519(pem: string, half: 'PRIVATE' | 'PUBLIC'): KeyObject {
  const key = readPem(pem, half);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new OpalineError('KEY_INVALID', `The key is of the kind ${key.asymmetricKeyType}, not Ed25519.`);
  return key;
}

function readPem(pem: string, half: 'PRIVATE' | 'PUBLIC'): KeyObject {
  // createPublicKey takes a private key too and derives the public one; the label keeps the two apart.
  const label = `BEGIN ${half} KEY`;
  if (!pem.includes(label)) throw new OpalineError('KEY_INVALID', `The key is no PEM text with the label ${label}.`);
  const read = half === 'PRIVATE' ? createPrivateKey : createPublicKey;
  try {
    return read({ key: pem, format: 'pem' });
  } catch {
    throw new OpalineError('KEY_INVALID', 'The key cannot be read: it is damaged, encrypted or of another kind.');
  }
}

/** Order of the field of Ed25519, 2^255 − 19 (RFC 8032, section 5.1). */
const FIELD = 2n ** 255n - 19n;

/** y of two of the points of order 8; the other two have its negative. */
const ORDER_EIGHT = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

/** y of every point whose order divides 8: 1 (order 1), −1 (2), 0 (4), and two for order 8. */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([1n, FIELD - 1n, 0n, ORDER_EIGHT, FIELD - ORDER_EIGHT]);

/** d of the curve −x² + y² = 1 + d·x²·y² (RFC 8032, section 5.1). */
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;

/** Is y that of a point? By Euler's criterion on x² = (y² − 1)/(d·y² + 1); a product is a square when the quotient is. */
function isOnCurve(y: bigint): boolean {
  let base = ((((y * y - 1n) * (D * y * y + 1n)) % FIELD) + FIELD) % FIELD;
  let power = 1n;
  for (let exponent = (FIELD - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) power = (power * base) % FIELD;
    base = (base * base) % FIELD;
  }
  return power === 1n;
}

/**
 * May these 32 bytes be a public key? Under a point of small order one signature holds for many texts or all of them,
 * whoever made it, for libraries that check as RFC 8032 says; a y that is not below the order of the field is a second
 * name of the same key; and a y off the curve is the key of nobody.
 */
export function isSoundPoint(point: Uint8Array): boolean {
  if (point.length !== 32) return false;
  const littleEndian = Buffer.from(point).reverse().toString('hex');
  const y = BigInt(`0x${littleEndian}`) & (2n ** 255n - 1n);
  return y < FIELD && !SMALL_ORDER.has(y) && isOnCurve(y);
}

/** The field of P-256, and b of the curve y² = x³ − 3x + b (FIPS 186-5; SP 800-186, section 3.2.1.3). */
const P256_FIELD = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const P256_B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Are these x and y of a point of P-256, each in its one form? The curve’s order is prime: no point has a small one. */
export function isPointOfP256(point: Uint8Array): boolean {
  const [x, y] = [point.slice(0, 32), point.slice(32)].map((part) => BigInt(`0x${Buffer.from(part).toString('hex')}`));
  if (point.length !== 64 || x! >= P256_FIELD || y! >= P256_FIELD) return false;
  return (y! * y! - (x! * x! * x! - 3n * x! + P256_B)) % P256_FIELD === 0n;
}
