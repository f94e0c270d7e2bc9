/** What is wrong with an installation, in one sentence, and the command that mends it or says more. */
export type Diagnosis = { sentence: string; command: string };
