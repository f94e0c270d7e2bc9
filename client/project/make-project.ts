import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { TRUST_FILE_FORMAT } from '../../contracts/formats/trust.ts';
import { PROJECT_FILE } from '../../contracts/project.ts';
import { SeriesFileError } from '../../contracts/series-issue.ts';
import { readPolicyFile } from '../../custodian/policy/policy-file.ts';
import { signatureFile, signSeries } from '../../services/orders/series-signature.ts';
import { generateSigningKey, publicKeyOf } from '../../services/signing/keys.ts';
import { hasCode } from '../../services/system-error.ts';
import { loadSeriesFile } from '../series/series-file.ts';
import { signVersion } from '../trust/sign-version.ts';
import { firstDraft } from '../trust/trust-draft.ts';
import { conflicts, type ProjectAnswers } from './project-answers.ts';
import { deploymentText, PROJECT_FILES, policyText, protectionWords, seriesText } from './project-text.ts';

/** Nothing but the owner reads a private key. */
const OWNER_ONLY = 0o600;

/**
 * Makes a project folder: series file with its public lists, deployment, policy and trust file, a key of each role, and
 * the signature of the series. It is made whole beside its place and then given its name; a folder that is there and
 * not empty stays as it is (USAGE). Throws SERIES_INVALID, POLICY_INVALID, TRUST_INVALID for answers that do not fit.
 */
export async function makeProject(folder: string, answers: ProjectAnswers) {
  await requireFree(folder);
  const part = `${folder}.part-${process.pid}`;
  try {
    await mkdir(part, { recursive: true });
    const project = await write(part, answers);
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
    return project;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** Throws USAGE when the folder holds anything. */
export async function requireFree(folder: string): Promise<void> {
  const present = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw wrongUse(`${folder} is no folder; name one that is not there yet.`);
  });
  if (present.length > 0) throw wrongUse(`${folder} is not empty and is kept; name a folder that is not there yet.`);
}

async function write(folder: string, answers: ProjectAnswers) {
  const files: string[] = [];
  const put = async (name: string, text: string, mode = 0o644) => {
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: mode === OWNER_ONLY ? 0o700 : 0o755 });
    await writeFile(join(folder, name), text, { mode, flag: 'wx' });
    files.push(name);
  };
  const makeKey = async (role: string): Promise<string> => {
    const { privateKey, publicKey } = generateSigningKey();
    await put(PROJECT_FILES.key(role), privateKey, OWNER_ONLY);
    await put(`${PROJECT_FILES.key(role)}.pub`, publicKey);
    return privateKey;
  };
  const [series, ledger, publisher] = [await makeKey('series'), await makeKey('ledger'), await makeKey('publisher')];
  const root = answers.rootKey === null ? await makeKey('root') : null;
  const keys: { subject: string; file: string }[] = [];
  const approvers: { subject: string; key: string }[] = [];
  for (const [index, { subject, publicKey }] of answers.approvers.entries()) {
    const role = answers.approvers.length === 1 ? 'approver' : `approver-${index + 1}`;
    if (publicKey === null) keys.push({ subject, file: PROJECT_FILES.key(role) });
    approvers.push({ subject, key: publicKey ?? publicKeyOf(await makeKey(role)) });
  }
  const reasons = conflicts(answers);
  const draft = firstDraft({
    organisation: answers.organisation,
    roots: { keys: [answers.rootKey ?? publicKeyOf(root!)], threshold: 1 },
    required: answers.required,
    demo: reasons.length > 0,
    ledgers: [publicKeyOf(ledger)],
    publishers: [publicKeyOf(publisher)],
    approvers,
  });
  if (root === null) await put(PROJECT_FILES.trustDraft, jsonText(draft));
  else {
    const { envelope } = signVersion([], { version: draft, envelope: null }, root);
    await put(PROJECT_FILES.trust, jsonText({ format: TRUST_FILE_FORMAT, versions: [envelope] }));
  }
  for (const [name, text] of answers.lists.files) await put(name, text);
  await put(PROJECT_FILES.policy, await policyText(answers, publicKeyOf(series)));
  await readPolicyFile(join(folder, PROJECT_FILES.policy));
  await put(PROJECT_FILE, await deploymentText(answers), OWNER_ONLY);
  await put(PROJECT_FILES.series, await seriesText(answers));
  const seriesFile = await loadSeriesFile(join(folder, PROJECT_FILES.series)).catch(asAnswers);
  await put(signatureFile(PROJECT_FILES.series), signSeries(seriesFile, 1, series).toString('utf8'));
  await put('.gitignore', 'keys/*.pem\n.opaline/\n');
  return {
    /** Below the folder, in the order of their names. */
    files: files.sort(),
    pattern: answers.source.pattern,
    clock: answers.source.clock,
    design: answers.design.name,
    /** Of whom, and how well, in words. */
    protects: protectionWords(answers),
    /** What may be expected of a release, in words; null: nobody knows how much there is. */
    shows: answers.design.shows,
    /** Why it is a trial; empty: it is not one. */
    conflicts: reasons,
    /** Approvers whose keys were made here, each with the file. */
    keys,
  };
}

/** The file is gone again: a mistake is one of the answers, and named by its field. */
function asAnswers(error: unknown): never {
  if (!(error instanceof SeriesFileError)) throw error;
  const mistakes = error.issues.map(({ field, file, line, sentence }) => `${field || `${file}:${line}`} — ${sentence}`);
  throw new OpalineError('SERIES_INVALID', `Nothing was made, as the answers do not fit.\n${mistakes.join('\n')}`);
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
