/** What is said when the client's own key has signed a series file or an order. */
export const SIGNED_BY_ITSELF =
  'Series file and order were signed by the key of the policy that this client has: for trials, where one person is everybody.\n';
