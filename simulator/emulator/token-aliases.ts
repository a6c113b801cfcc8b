/**
 * emulate lets each token make 5,000 calls an hour, whatever is asked of it, and Slack has no such limit: a bot under
 * load ran into it after 55 minutes. So that nobody does, every account has several tokens, used in turn.
 */
const TOKENS_EACH = 40

/** All tokens of an account, itself first. */
export const tokenAliases = (token: string): readonly string[] =>
  Array.from({ length: TOKENS_EACH }, (_, turn) => aliasOf(token, turn))

/** Takes the tokens of each account in turn. */
export const makeTakeAlias = (): ((token: string) => string) => {
  const taken = new Map<string, number>()
  return token => {
    const count = taken.get(token) ?? 0
    taken.set(token, count + 1)
    return aliasOf(token, count % TOKENS_EACH)
  }
}

const aliasOf = (token: string, turn: number): string => (turn === 0 ? token : `${token}-${turn + 1}`)
