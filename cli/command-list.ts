/**
 * What the help of the whole program says of each command, in its order: how it is called, and what it does. It is
 * written out here so that the help loads no command; cli/usage.test.ts holds it to the commands.
 */
export const COMMAND_LIST: readonly (readonly [called: string, does: string])[] = [
  ['init [options] <folder>', 'make a project folder for data of your own; asks on a terminal what no option says'],
  ['up [options]', 'start the embedded stack: Temporal, a folder store and both workers; Ctrl-C stops it'],
  [
    'check [options] <series>',
    'check a series file without a window: its fields and lists, the policy, the signature, the stores',
  ],
  [
    'preview [options] <series>',
    'show custodians what is made of the rows of a window, before anything is charged; it is recorded',
  ],
  ['run [options] <series>', 'make one release: from the source to the gate'],
  ['status [options]', 'list the releases: where they stand, for how long, what failed, the verdict, and until when'],
  [
    'show [options] <release>',
    'show one release: its partitions, verdict, figures and cost, who decides, and what comes next',
  ],
  [
    'explain [options] <release>',
    'say what holds a release up or ended it, the likely cause, and the command that mends it',
  ],
  [
    'open [options] <release>',
    'open the audit of a release, or its statement, in the browser; without a screen it prints where it is',
  ],
  ['sources [options] <release>', 'say which source objects have changed since a release read them, by name'],
  ['approve [options] [release]', 'approve the release at the gate, with a signature over its manifest'],
  ['reject [options] <release>', 'refuse the release at the gate; its charge stays'],
  [
    'reaudit [options] <release>',
    'run the audit of a release again, at no cost, under a corrected declaration; both verdicts are kept',
  ],
  [
    'retry [options] <release>',
    'begin again what holds a release up, its failed partitions or a stalled stage; it costs no privacy',
  ],
  ['abandon [options] <release>', 'go on without partitions that an object holds back; each becomes a named hole'],
  ['proceed [options] <release>', 'end the wait for late objects; what is missing then holds back its partitions'],
  ['withdraw [options] <release>', 'take a release back before it is public; its charge stays'],
  ['reopen [options] <release>', 'offer a release again whose gate has expired; it costs nothing'],
  ['cancel [options] <release>', 'stop a release; what was reserved for it stays spent'],
  [
    'correct [options] <release>',
    'make a new version that draws and charges the named partitions anew and carries the others over',
  ],
  [
    'retract [options] <release>',
    'take a publication back: a signed tombstone beside its files, which stay; costs no privacy',
  ],
  ['schedule', 'release a series every week by itself, and look after that'],
  ['backfill', 'look after a back-fill that `schedule backfill` has started'],
  ['temporal', 'the Temporal server of the embedded stack'],
  [
    'doctor [options]',
    'say what is wrong with this installation, and the command that mends it; ends with 3 if anything is',
  ],
  [
    'audit [options] <inputs...>',
    'attack a publication, of Opaline or of anybody, with what everybody can know; ends with 0, 3 or 4',
  ],
  [
    'verify [options] <dir>',
    'check a publication offline: digests, signatures, certificate, threshold, order and sums; or the folder of a series: its signed head and its pages',
  ],
  [
    'diff [options] <earlier> <later>',
    'say which rows of two versions of the same days differ by more than noise explains',
  ],
  [
    'site [options] <series>',
    'make the pages of a series again from its publications: index, changes, feed, lists and readers’ pages',
  ],
  ['trust', 'the trust file: whom readers and workers believe; write a version, sign it, look at it'],
  ['keygen [options] <file>', 'make an Ed25519 key: FILE gets the private key, FILE.pub the public one'],
  ['policy', "the custodian's file that says what may be drawn at all"],
  ['series', 'series files: say that one may be run'],
  ['order', 'let a key of the policy order what the policy does not allow by itself'],
  ['certify [options]', 'print the certificate of privacy parameters; needs no data and no running stack'],
  ['ledger', 'the record of what was charged to whom: show it, plan with it, verify it'],
  ['risk', 'say how identifying raw data is, in bits; for custodians, on the custodian side only'],
  [
    'rejects [options] <release>',
    'say what a release read and what it left out, exactly; for custodians, on the custodian side only',
  ],
  ['noise [options]', 'draw from the production sampler of noise, for those who want to test it; touches no data'],
  ['demo', 'the demo of this folder'],
  [
    'completion [options] <shell>',
    'print what a shell needs to complete commands and options; load it from its start-up file',
  ],
  ['occupancy', 'how full a vehicle is, without telling who got off: profiles, their proof, their draws'],
];
