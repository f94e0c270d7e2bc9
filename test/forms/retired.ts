/**
 * Names under which something was stored or signed once and is not any more. Old signatures still hold under them, so
 * that none of them is ever used again; a form that changes takes its next number and its old name comes here. Names
 * that end in `-draft` are all given up.
 */
export const RETIRED: readonly string[] = [
  'opaline-attestation-file/2',
  'opaline-attestation/1',
  'opaline-audit-receipt/1',
  'opaline-certificate/1',
  'opaline-certificate/2',
  'opaline-certificate/3',
  'opaline-decision/1',
  'opaline-draw-receipt/1',
  'opaline-draw-record/1',
  'opaline-input-warnings/1',
  'opaline-inventory/1',
  'opaline-inventory/2',
  'opaline-ledger/1',
  'opaline-ledger/2',
  'opaline-ledger/3',
  'opaline-manifest/1',
  'opaline-manifest/2',
  'opaline-manifest/3',
  'opaline-order/1',
  'opaline-preview/1',
  'opaline-privacy/1',
  'opaline-privacy/2',
  'opaline-privatized-table/1',
  'opaline-retraction/1',
  'opaline-retraction/2',
  'opaline-series/1',
  'opaline-summary/1',
  'opaline-tally/1',
  'opaline-trust/1',
  'https://opaline.example/attestation/v1',
  'https://opaline.example/decision/v1',
];
