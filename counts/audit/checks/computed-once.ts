/** A function whose answers are kept: laws of sums of noise take long, and the same ones are asked for again. */
export function computedOnce<Parts extends readonly (string | number)[], Answer>(
  compute: (...parts: Parts) => Answer,
): (...parts: Parts) => Answer {
  const answers = new Map<string, Answer>();
  return (...parts) => {
    const key = parts.join(' ');
    const answer = answers.get(key) ?? compute(...parts);
    answers.set(key, answer);
    return answer;
  };
}
