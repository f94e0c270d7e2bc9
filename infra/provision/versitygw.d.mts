export const VERSITYGW_VERSION: '1.8.0';
export function provideVersitygw(version?: '1.8.0' | '1.7.0'): Promise<string>;
