/** What the tests use of jsonld, which has no types of its own. */
declare module 'jsonld' {
  export function toRDF(document: object, options: { format: 'application/n-quads'; base: string }): Promise<string>;
}
