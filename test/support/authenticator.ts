import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { normaliseSignature, passkeyEnvelope } from '../../client/release/passkey-envelope.ts';
import { DSSE_PAYLOAD_TYPE, type Envelope } from '../../contracts/decision.ts';
import type { Passkey } from '../../contracts/formats/trust.ts';
import { P256_ORDER, type PasskeyAlgorithm } from '../../contracts/passkey.ts';
import { credentialKeyId } from '../../services/signing/credential.ts';
import { passkeyChallenge } from '../../services/signing/envelope.ts';

/** What an authenticator, or the page around it, does otherwise than it should; absent: as it should. */
export type Otherwise = {
  type?: string;
  challenge?: Buffer;
  origin?: string;
  relyingParty?: string;
  /** Of the authenticator data; 0x05: user present and verified. */
  flags?: number;
  counter?: number;
  /** Bytes after the counter, as of extensions. */
  more?: Buffer;
  /** What the client data end with, in place of `}`. */
  rest?: string;
  crossOrigin?: boolean;
  /** The second form of an ES256 signature. */
  highS?: boolean;
};

const digest = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** A software authenticator with one passkey, as a browser and its user have one. */
export class Authenticator {
  readonly passkey: Passkey;
  readonly #key: KeyObject;

  constructor(name: string, algorithm: PasskeyAlgorithm = 'ES256', place: Partial<Passkey> = {}) {
    const { privateKey } =
      algorithm === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' }) : generateKeyPairSync('ed25519');
    this.#key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    this.passkey = {
      credentialId: digest(name).toString('base64url'),
      publicKey: createPublicKey(this.#key).export({ type: 'spki', format: 'pem' }).toString(),
      algorithm,
      relyingParty: 'console.example.org',
      origins: ['https://console.example.org'],
      ...place,
    };
  }

  /** What a browser hands to the page. */
  assert(challenge: Buffer, otherwise: Otherwise = {}) {
    const {
      type = 'webauthn.get',
      origin = this.passkey.origins[0],
      flags = 0x05,
      counter = 0,
      rest = '}',
    } = otherwise;
    const asked = (otherwise.challenge ?? challenge).toString('base64url');
    const clientDataJSON = Buffer.from(
      `{"type":"${type}","challenge":"${asked}","origin":"${origin}","crossOrigin":${otherwise.crossOrigin ?? false}${rest}`,
    );
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const party = digest(otherwise.relyingParty ?? this.passkey.relyingParty);
    const authenticatorData = Buffer.concat([party, Buffer.from([flags]), count, otherwise.more ?? Buffer.alloc(0)]);
    const covered = Buffer.concat([authenticatorData, digest(clientDataJSON)]);
    const signature = sign(this.passkey.algorithm === 'ES256' ? 'sha256' : null, covered, this.#key);
    return { authenticatorData, clientDataJSON, signature };
  }

  /** A statement, signed as the client's code has it. Throws SIGNATURE_INVALID. */
  sign(statement: Uint8Array): Envelope {
    return passkeyEnvelope(statement, this.passkey, this.assert(passkeyChallenge(statement)));
  }

  /** A statement in an envelope of somebody who checks nothing. */
  forge(statement: Uint8Array, otherwise: Otherwise): Envelope {
    const { authenticatorData, clientDataJSON, signature } = this.assert(passkeyChallenge(statement), otherwise);
    const fixed = this.passkey.algorithm === 'ES256' ? normaliseSignature(signature) : signature;
    const sig = otherwise.highS ? withHighS(fixed) : fixed;
    const [client, data] = [clientDataJSON, authenticatorData].map((bytes) => bytes.toString('base64'));
    return {
      payloadType: DSSE_PAYLOAD_TYPE,
      payload: Buffer.from(statement).toString('base64'),
      signatures: [
        {
          keyid: credentialKeyId({ passkey: this.passkey }),
          sig: sig.toString('base64'),
          passkey: { authenticatorData: data!, clientDataJSON: client! },
        },
      ],
    };
  }
}

function withHighS(signature: Buffer): Buffer {
  const s = P256_ORDER - BigInt(`0x${signature.subarray(32).toString('hex')}`);
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
}
