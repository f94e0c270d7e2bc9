export function ownNode(root: string, running?: string): string;
