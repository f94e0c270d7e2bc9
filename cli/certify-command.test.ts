import { describe, expect, test } from 'vitest';
import { certificateShape } from '../contracts/certificate.ts';
import { EXIT } from '../contracts/errors.ts';
import { isOneSentence, run, words } from './process.fixture.ts';

/** Runs certify with the usual parameters of one trip, changed and added to. */
const certify = (line: string) =>
  run(words(`certify --mechanism stability-histogram --neighbours replace-one --epsilon 8 --delta 1e-6 ${line}`));

async function certified(line: string) {
  const { code, stdout } = await certify(`${line} --json`);
  expect(code).toBe(EXIT.done);
  return certificateShape.parse(JSON.parse(stdout));
}

describe('certify prints the certificate', () => {
  test('of one trip, with decimal bounds and what cannot be checked', async () => {
    const certificate = await certified('--unit trip --publish on+off');
    expect(certificate).toMatchObject({ unit: 'trip', d1: 4, scale: '1/2', threshold: 9, split: { cells: '8' } });
    expect(Number(certificate.deltaLower)).toBeLessThanOrEqual(Number(certificate.deltaUpper));
    expect(Number(certificate.deltaUpper)).toBeLessThanOrEqual(1e-6);
    expect(certificate.assumptions.length).toBeGreaterThan(3);
  });

  test('with the smallest share of cells that keeps T, and the slack for the margins', async () => {
    const certificate = await certified('--unit trip --publish on+off --split');
    expect(certificate.split).toEqual({ cells: '36/5', time: '3/10', location: '1/2' });
    expect(certificate).toMatchObject({ threshold: 9, scale: '5/9', marginScales: { time: '40/3', location: '8' } });
  });

  test('with shares by hand, the cells getting what is left', async () => {
    const certificate = await certified('--unit trip --publish on+off --time 0.3 --location 1/2');
    expect(certificate.split).toEqual({ cells: '36/5', time: '3/10', location: '1/2' });
  });

  test('of a card per window, or per day', async () => {
    const window = await certified('--unit card-window --max-taps 4 --neighbours add-remove');
    expect(window).toMatchObject({ unit: 'card-window', maxTaps: 4, d1: 4 });
    expect(await certified('--unit card-day --max-taps 4')).toMatchObject({ unit: 'card-day', d1: 8 });
  });

  test('of a card whose left-out taps are counted, at most so many or as many as are counted', async () => {
    const asked = '--unit card-window --max-taps 4 --bounded 1/2';
    expect(await certified(asked)).toMatchObject({ clamp: 4, leftOutScale: '16', split: { bounded: '1/2' } });
    const { stdout } = await certify(`${asked} --clamp 10`);
    expect(stdout).toContain('40 for left-out taps, at most 10 of one card');
    expect(stdout).toContain('8 = 7.5 cells + 0.5 bounded');
  });

  test('C5: of limits of rejects, with the noise that is compared with them', async () => {
    const asked = '--unit trip --checks 1/2 --rejects bus=200 ferry=90';
    const limits = { rejects: { bus: 200, ferry: 90 }, leftOutScale: '8', split: { cells: '15/2', checks: '1/2' } };
    expect(await certified(asked)).toMatchObject(limits);
    const { stdout } = await certify(asked);
    expect(stdout).toContain('8 = 7.5 cells + 0.5 checks');
    expect(stdout).toContain('8 for rejected taps');
    expect(stdout).toMatch(
      /^rejects +at most 90 taps of ferry a day; noise alone is over it on 1 day in [\d,]+ or more$/m,
    );
  });

  test('of a tap, and of the other mechanisms', async () => {
    expect(await certified('--unit tap --publish on')).toMatchObject({ unit: 'tap', d1: 2 });
    const complete = await certified('--unit trip --mechanism complete-domain --delta 0 --floor none');
    expect(complete).toMatchObject({ threshold: null, deltaUpper: '0' });
    const split = '--cells 31/5 --time 7/10 --location 11/10';
    const floors = await certified(`--unit trip --mechanism complete-domain --delta 0 ${split} --hours`);
    expect(floors).toMatchObject({ threshold: 7, floor: 7, hours: { floor: 10, bins: 4 }, deltaUpper: '0' });
    const words = await certify(`--unit trip --mechanism complete-domain --delta 0 ${split} --floor 8 --hours 12`);
    expect(words.stdout).toContain('floor            8: ');
    expect(words.stdout).toContain('hour rows        from 12 on');
    expect(await certified('--unit trip --mechanism sbh-2017')).toMatchObject({ mechanism: 'sbh-2017' });
  });

  test('in words for people', async () => {
    const { code, stdout } = await certify('--unit trip --split');
    expect(code).toBe(EXIT.done);
    expect(stdout).toContain('epsilon          8 = 7.2 cells + 0.3 time + 0.5 location');
    expect(stdout).toContain('threshold        9: ');
    expect(stdout).toContain('noise            discrete Laplace of scale 5/9 for a cell');
    const historic = await certify('--unit trip --mechanism sbh-2017');
    expect(historic.stdout).toContain('noise            ideal real Laplace of scale 1/2 for a cell');
    expect(stdout).toContain('Attested by the publisher, and not checkable from outside:');
  });
});

describe('check --designs prints what the guarantee of a series allows', () => {
  test('all designs side by side', async () => {
    const { code, stdout } = await run(words('check examples/demo.yaml --designs'));
    expect(code).toBe(EXIT.done);
    expect(stdout).toMatch(/\| design +\| cells from \| ε \| taps in cells \|/);
    expect(stdout.match(/^\| \d\d-(cells|both|totals) +\| \d+ +\| 8 \| \?/gm)).toHaveLength(9);
    expect(stdout).toMatch(
      /\| design +\| cells from \| ε \| δ +\| ε of a week \| ε of a year \| σ +\| taps in cells \|/,
    );
    expect(stdout.match(/^\| 15-(day|week)-[124] +\| \d+ +\| [124] \| 1e-8 \|/gm)).toHaveLength(6);
  });

  test('and refuses a kind with one design', async () => {
    const { code, stderr } = await run(words('check examples/occupancy.yaml --designs'));
    expect({ code, stderr }).toEqual({ code: EXIT.badInput, stderr: expect.stringContaining('has one design') });
  });
});

describe('certify refuses what has no certificate', () => {
  test.each([
    '--unit trip --epsilon 0',
    '--unit trip --delta 0',
    '--unit trip --max-taps 4',
    '--unit card-window',
    '--unit trip --cells 7 --time 0.5',
    '--unit trip --split --mechanism complete-domain',
    '--unit card-window --max-taps 4 --mechanism sbh-2017',
    '--unit card-window --max-taps 4 --checks 1 --rejects bus=90',
  ])('`%s` ends with 4', async (line) => {
    const { code, stdout, stderr } = await certify(line);
    expect({ code, stdout, sentence: isOneSentence(stderr) }).toEqual({
      code: EXIT.refused,
      stdout: '',
      sentence: true,
    });
    expect(stderr).toMatch(/^CERTIFICATE_IMPOSSIBLE: /);
  });
});
