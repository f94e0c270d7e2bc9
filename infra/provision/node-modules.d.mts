export function provideNodeModules(root?: string): Promise<boolean>;
