import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate and its key, PEM. */
export type Identity = { certificate: string; key: string };

/** An authority that signs certificates for this test run alone: nothing of it is kept. */
export class TestAuthority {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Its own certificate, PEM. */
  get certificate(): string {
    return this.#certify(
      this.#name,
      this.#keys.publicKey,
      extension(OID.basicConstraints, sequence(boolean(true)), true),
    );
  }

  /** A certificate for a host or a client of that name, or for a host of that IPv4 address. */
  identity(name: string): Identity {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const host = isIPv4(name)
      ? tagged(0x87, Buffer.from(name.split('.').map(Number)))
      : tagged(0x82, Buffer.from(name));
    return {
      certificate: this.#certify(name, publicKey, extension(OID.subjectAltName, sequence(host))),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }

  /** X.509 version 3 (RFC 5280), signed with ECDSA and SHA-256. */
  #certify(subject: string, key: KeyObject, extensions: Buffer): string {
    const toSign = sequence(
      tagged(0xa0, integer(Buffer.from([2]))),
      integer(Buffer.from([serial++])),
      ECDSA_SHA256,
      commonName(this.#name),
      sequence(time('20200101000000Z'), time('21200101000000Z')),
      commonName(subject),
      key.export({ type: 'spki', format: 'der' }),
      tagged(0xa3, sequence(extensions)),
    );
    const signature = tagged(0x03, Buffer.from([0]), sign('sha256', toSign, this.#keys.privateKey));
    const lines = sequence(toSign, ECDSA_SHA256, signature)
      .toString('base64')
      .match(/.{1,64}/g);
    return ['-----BEGIN CERTIFICATE-----', ...(lines ?? []), '-----END CERTIFICATE-----', ''].join('\n');
  }
}

let serial = 1;

/** Object identifiers in DER: id-ce-basicConstraints, id-ce-subjectAltName, id-at-commonName, ecdsa-with-SHA256. */
const OID = {
  basicConstraints: '551d13',
  subjectAltName: '551d11',
  commonName: '550403',
  ecdsaSha256: '2a8648ce3d040302',
};

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const time = (text: string): Buffer => tagged(0x18, Buffer.from(text));
const commonName = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(identifier(OID.commonName), tagged(0x0c, Buffer.from(name)))));
const extension = (oid: string, value: Buffer, critical = false): Buffer =>
  sequence(identifier(oid), ...(critical ? [boolean(true)] : []), tagged(0x04, value));
const ECDSA_SHA256 = sequence(identifier(OID.ecdsaSha256));
