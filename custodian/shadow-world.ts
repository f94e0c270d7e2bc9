import { OpalineError } from '../contracts/errors.ts';
import type { LedgerTip } from '../contracts/formats/common.ts';
import { POLICY_FORMAT, POLICY_POWERS } from '../contracts/formats/policy.ts';
import { kindOf } from '../contracts/kind.ts';
import { PRIVATE_KEYS, RELEASE_KEYS } from '../contracts/names.ts';
import type { Series } from '../contracts/series.ts';
import type { PrivatizeInput, ReserveInput, Run } from '../contracts/stages.ts';
import { windowPartitions } from '../core/calendar/window.ts';
import { putOrder, signOrder } from '../services/orders/orders.ts';
import { putSignature } from '../services/orders/series-signature.ts';
import { generateSigningKey } from '../services/signing/keys.ts';
import { jsonBytes, readBytes, sha256 } from '../services/stores/json-objects.ts';
import { MemoryStore } from '../services/stores/memory-store.ts';
import { numberPolicy } from './policy/policy-file.ts';
import type { PrivateContext, ShadowWorld } from './private-context.ts';
import { INVENTORY_FORMAT, type Inventory } from './source/inventory.ts';

/** The activities that charge and draw, which this room may not import. */
type Stages = {
  reserve(context: PrivateContext, input: ReserveInput): Promise<unknown>;
  privatize(context: PrivateContext, input: PrivatizeInput): Promise<unknown>;
};

const POPULATION = 'shadow';
/** After every made-up window. */
const NOW = '2001-01-01T00:00:00Z';
/** So much is spent on no made-up block. */
const WITHOUT_LIMIT = { epsilon: '1000000', delta: '1000000' };
const CAPS = { block: WITHOUT_LIMIT, year: WITHOUT_LIMIT };
/** The inventory of a release that reads nothing. */
const NOTHING: Inventory = { format: INVENTORY_FORMAT, round: 0, objects: [], faults: [], leftOut: [] };

/** A world whose policy allows what a series asks for. */
export function shadowWorld(context: PrivateContext, series: Series, stages: Stages): ShadowWorld {
  const { unit, neighbours, mechanism } = kindOf(context.kinds, series).terms(series);
  const { privateKey, publicKey } = generateSigningKey();
  const policy = numberPolicy({
    format: POLICY_FORMAT,
    number: 1,
    demo: false,
    keys: [{ name: POPULATION, key: publicKey, may: [...POLICY_POWERS], revoked: false }],
    revokedSeries: [],
    populations: {
      [POPULATION]: {
        sources: [series.source.store],
        unit,
        neighbours: neighbours === 'add-remove' ? neighbours : 'replace-one',
        mechanisms: [mechanism],
        accounting: 'pure',
        release: WITHOUT_LIMIT,
        caps: CAPS,
        lateDays: 366,
      },
    },
  });
  const world: PrivateContext = {
    ...context,
    sourceStore: noSource,
    privateStore: new MemoryStore(),
    releaseStore: new MemoryStore(),
    policy,
    trust: { number: 1, digest: sha256('shadow') },
    requireNewest: async () => {},
    ledgerKeys: () => [publicKey],
    ledgerKey: privateKey,
    highWater: highWaterInMemory(),
    ensureShadow: async () => {},
    now: () => new Date(NOW),
  };
  return {
    context: world,
    sign: (fake) => storeSigned(world, fake, privateKey),
    charge: async (run, fake) => {
      await orderVersion(world, run, privateKey);
      const parts = kindOf(world.kinds, fake).terms(fake).parts;
      await stages.reserve(world, { ...run, partitions: windowPartitions(fake, parts, run.window) });
    },
    draw: async (run, partition, counts) => {
      const { privateStore, releaseStore } = world;
      const input = { ...run, round: 0, partitions: [partition], charge: POPULATION };
      await privateStore.putIfAbsent(PRIVATE_KEYS.cells(run, input.round, partition), counts);
      await privateStore.putIfAbsent(PRIVATE_KEYS.inventory(run, input.round), jsonBytes(NOTHING));
      await stages.privatize(world, input);
      return readBytes(releaseStore, RELEASE_KEYS.privatized(run, partition));
    },
  };
}

/** A made-up series as files are stored: of the shadow's population, whose caps it never meets. */
async function storeSigned({ releaseStore }: PrivateContext, fake: Series, privateKey: string): Promise<string> {
  const bytes = jsonBytes({ ...fake, population: POPULATION, privacy: { ...fake.privacy, caps: CAPS } });
  const digest = sha256(bytes);
  await releaseStore.putIfAbsent(RELEASE_KEYS.series(fake.series, digest), bytes);
  await putSignature(releaseStore, { series: fake, digest, signature: null }, privateKey);
  return digest;
}

async function orderVersion(world: PrivateContext, run: Run, privateKey: string): Promise<void> {
  const { series, seriesDigest, window, version } = run;
  if (version === 1) return;
  const order = { kind: 'version', series, seriesDigest, window, version, correction: null } as const;
  await putOrder(world.releaseStore, signOrder(order, privateKey));
}

const noSource = (): never => {
  throw new OpalineError('CONFIGURATION_INVALID', 'A shadow run has no source.');
};

function highWaterInMemory(): PrivateContext['highWater'] {
  const marks = new Map<string, LedgerTip>();
  return {
    read: async (population) => marks.get(population) ?? null,
    raise: async (population, tip) => void marks.set(population, tip),
  };
}
