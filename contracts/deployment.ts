import { z } from 'zod';
import { fileVersion } from './formats/common.ts';
import { secret } from './secret.ts';
import { storeConfigurationSchema } from './store-configuration.ts';

/**
 * Deployment configuration: one file for each process, because each side has its own stores and credentials. The
 * public worker's file cannot name a source, and so the process has no way to one.
 */
const file = z.string().min(1);

/** TLS to Temporal, by PEM files. An empty object: the authorities that the machine trusts, and no client certificate. */
const tls = z
  .strictObject({
    /** Authorities that the server's certificate has to come from. */
    caFile: file.optional(),
    /** The client's certificate and its key, where the server asks for them. */
    certFile: file.optional(),
    keyFile: file.optional(),
    /** Name that the server's certificate is for, when it is not that of the address. */
    serverName: z.string().min(1).optional(),
  })
  .refine(({ certFile, keyFile }) => (certFile === undefined) === (keyFile === undefined), {
    message: 'certFile and keyFile go together',
  });

/** Keys that encrypt what Temporal stores: the first encrypts, each of them opens. Every process has the same ones. */
const codec = z.strictObject({
  keys: z
    .array(z.strictObject({ name: z.string().regex(/^[a-z0-9-]{1,40}$/, 'small letters, digits and hyphens'), secret }))
    .min(1)
    .refine((keys) => new Set(keys.map(({ name }) => name)).size === keys.length, 'each key has a name of its own'),
});

const temporal = z
  .strictObject({
    address: z.string().min(1),
    namespace: z.string().min(1).default('default'),
    tls: tls.optional(),
    apiKey: secret.optional(),
    codec: codec.optional(),
  })
  .refine((one) => one.tls !== undefined || one.apiKey === undefined, {
    message: 'an API key is sent over TLS only: add tls, which may be {}',
  });

/** Where Temporal is, and how to connect to it. */
export type TemporalConfiguration = z.output<typeof temporal>;

const listenAddress = z
  .string()
  .regex(/^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]):\d{1,5}$/, 'an IP address and a port, as 127.0.0.1:9464');

/**
 * Bounds of one process that computes stages: resident memory in MiB, and minutes that one activity may compute. A
 * process beyond them is ended, and the attempt fails.
 */
const processLimits = (minutes: number) =>
  z
    .strictObject({
      memoryMiB: z.number().int().positive().default(4096),
      minutes: z.number().positive().default(minutes),
    })
    .prefault({});

/** Where a worker listens: Prometheus metrics at `/metrics`, and `/healthz` and `/readyz`. Absent: it does not listen. */
const observe = z.strictObject({ metrics: listenAddress, health: listenAddress });

/**
 * Whom this process believes (docs/adr/0050). With a pin the trust file has to hold that very version; it may go on
 * from there.
 */
const trust = z.strictObject({ file, pin: fileVersion.optional() });

/** Keys that a program made for a trial are refused unless this says otherwise, as the embedded stack does. */
const allowDemoKeys = z.boolean().default(false);

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** An address that is reached over TLS; only this computer is reached without. */
const secureUrl = (what: string) =>
  z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith('https:') || LOOPBACK.includes(new URL(url).hostname), {
      message: `${what} is reached over https`,
    });
const originOf = (protocol: RegExp) =>
  z.url({ protocol }).refine((url) => new URL(url).origin === url, {
    message: 'an origin has no path and no slash at its end',
  });

/** Where notices are posted, and the secret of their signatures. */
const webhook = z.strictObject({ url: secureUrl('a webhook'), secret });

/**
 * Mail over SMTP. `starttls` refuses a server that does not encrypt, `implicit` is TLS from the first byte; without
 * either only this computer is reached.
 */
const email = z.strictObject({
  server: z
    .strictObject({
      host: z.string().min(1),
      port: z.number().int().min(1).max(65_535),
      tls: z.enum(['starttls', 'implicit', 'none']).default('starttls'),
      /** Authorities that the server's certificate has to come from; absent: those that the machine trusts. */
      caFile: file.optional(),
      user: z.string().min(1).optional(),
      password: secret.optional(),
    })
    .refine(({ user, password }) => (user === undefined) === (password === undefined), {
      message: 'user and password go together',
    })
    .refine((one) => one.tls !== 'none' || LOOPBACK.includes(one.host), {
      message: 'without TLS only this computer is reached',
    }),
  from: z.email(),
  to: z.array(z.email()).min(1).max(100),
});

export type EmailConfiguration = z.output<typeof email>;

/** How people are notified of a release that needs them. */
const notices = z.strictObject({
  email: email.optional(),
  webhooks: z.array(webhook).max(10).default([]),
  /** Address of the console, to whose pages notices lead; absent: to none. */
  console: originOf(/^https?$/).optional(),
});

export type NoticesConfiguration = z.output<typeof notices>;

/** What both workers need. */
const workerFields = {
  temporal,
  trust,
  /**
   * Private key, whose public half is in the trust file: of the private worker it signs entries of the ledger and draws,
   * of the public one attestations.
   */
  keyFile: file,
  /** Where the passphrase of an encrypted key is. */
  passphrase: secret.optional(),
  allowDemoKeys,
  releaseStore: storeConfigurationSchema,
  scratch: z.string().min(1),
  /**
   * Activities at once that read or count a source, or draw for the audit, on the one side, and that derive, audit or
   * publish on the other; lighter ones run beside them.
   */
  concurrency: z.number().int().positive().default(2),
  observe: observe.optional(),
  /**
   * When this worker makes its build the current one of its side, which gets new and open releases: `when-none`, only on
   * a server where none is, and none other was the last to be; `always`, where one worker of a side runs at a time.
   */
  becomeCurrent: z.enum(['when-none', 'always']).default('when-none'),
};

export const privateDeploymentSchema = z.strictObject({
  ...workerFields,
  /** The policy of the custodian (C11a), YAML. */
  policyFile: file,
  /** What this worker has seen of ledger, policy and trust file: outside of the store, which may be set back (C12). */
  stateFile: file,
  sources: z.record(z.string(), storeConfigurationSchema),
  privateStore: storeConfigurationSchema,
  /** Limit of DuckDB's memory, in MiB. */
  memoryMiB: z.number().int().positive().default(1024),
  process: processLimits(300),
  /** Where the custodian is warned of what a source holds, beside the log and a metric of this worker. */
  warnings: z.strictObject({ webhook }).optional(),
});

export const publicDeploymentSchema = z.strictObject({
  ...workerFields,
  publicationStore: storeConfigurationSchema,
  process: processLimits(60),
  /** Absent: nobody is notified, and people look at `opaline status`. */
  notices: notices.optional(),
});

/** Where those that only ask look. */
const ofReader = { temporal, trust, releaseStore: storeConfigurationSchema };

/** What the command line needs. */
export const clientDeploymentSchema = z.strictObject({
  ...ofReader,
  /** Where publications are read: a folder, or an address of the web. Absent: nobody looks whether a release is there. */
  publications: z.string().min(1).optional(),
  /** A key of the policy, which signs series files and orders by itself: for trials, where one person is everybody. */
  signingKeyFile: file.optional(),
});

const loopbackAddress = /^(127(\.\d{1,3}){3}|\[::1\]):/;

/** A provider by which people log in to the console (OpenID Connect). */
const openidProvider = z.strictObject({
  issuer: secureUrl('a provider'),
  clientId: z.string().min(1),
  clientSecret: secret,
  /** Claim of the ID token that lists the roles of a person: viewer, operator, approver, custodian. */
  rolesClaim: z.string().min(1).default('roles'),
  /** Whom of the trust file an account is, by the subject that the provider gives it; never by a mail address. */
  people: z.array(z.strictObject({ sub: z.string().min(1).max(255), subject: z.string().min(1).max(200) })).default([]),
});

/** What the console of a deployment needs. It holds no key: neither of an approver nor of the policy. */
export const consoleDeploymentSchema = z
  .strictObject({
    ...ofReader,
    publications: z.string().min(1).optional(),
    listen: listenAddress,
    /** Address by which people reach it, such as https://opaline.example.org: other hosts and origins are refused. */
    origin: originOf(/^https$/),
    tls: z.strictObject({ certFile: file, keyFile: file }).optional(),
    /** Says that a proxy in front of it does TLS, and is the one way to it. */
    behindProxy: z.boolean().default(false),
    login: openidProvider,
  })
  .refine(({ listen, tls: own, behindProxy }) => own !== undefined || behindProxy || loopbackAddress.test(listen), {
    message: 'elsewhere than on loopback it listens with tls, or behind a proxy that does it (behindProxy)',
  });

export type ConsoleDeployment = z.output<typeof consoleDeploymentSchema>;

export type PrivateDeployment = z.output<typeof privateDeploymentSchema>;
export type PublicDeployment = z.output<typeof publicDeploymentSchema>;
export type ClientDeployment = z.output<typeof clientDeploymentSchema>;
