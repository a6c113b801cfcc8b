/** Entropy in bits of probabilities that need not add up to 1: what is missing is one more outcome. */
export const entropy = (probabilities: readonly number[]): number => {
  const rest = 1 - probabilities.reduce((sum, p) => sum + p, 0)
  return [...probabilities, rest].reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0)
}

/**
 * Expected information gain in bits, H(Y) - H(Y|X): Y is the right group, or none of them; X the option that a person
 * chooses, who knows Y. `options` are places of `probabilities`, each in one option at most; every Y that is in no
 * option ends in "something else".
 */
export const informationGain = (
  probabilities: readonly number[],
  options: readonly (readonly number[])[],
): number => {
  const missing = Math.max(0, 1 - probabilities.reduce((sum, p) => sum + p, 0))
  const offered = new Set(options.flat())
  const elsewhere = [...probabilities.filter((_, at) => !offered.has(at)), missing]
  const blocks = [...options.map(option => option.map(at => probabilities[at] ?? 0)), elsewhere]
  const left = blocks.reduce((sum, block) => {
    const mass = block.reduce((sum, p) => sum + p, 0)
    return mass > 0 ? sum + mass * entropy(block.map(p => p / mass)) : sum
  }, 0)
  return Math.max(0, entropy(probabilities) - left)
}

/**
 * What asking adds to the probability of a right answer. After a choice the likeliest group of the option is answered;
 * "something else" leaves the leader, who is then wrong. `probabilities` are best first.
 */
export const valueOfAsking = (
  probabilities: readonly number[],
  options: readonly (readonly number[])[],
): number => {
  const after = options.reduce(
    (sum, option) => sum + Math.max(0, ...option.map(at => probabilities[at] ?? 0)),
    0,
  )
  const now = probabilities[0] ?? 0
  const stays = options.some(option => option.includes(0)) ? 0 : now
  return after + stays - now
}
