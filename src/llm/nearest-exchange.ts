import type { AskedExchange, RecordedExchange } from './recorded-exchange.ts'

/** A recorded exchange, and what of it is other than what was asked for. */
export interface NearestExchange {
  readonly exchange: RecordedExchange
  /** Such as `model`, `question` or `attempt`. */
  readonly differences: readonly string[]
}

/** The recorded exchange that is most like a request; null when nothing of the prompt was recorded. */
export const findNearestExchange = (
  asked: AskedExchange & { readonly attempt: number },
  recorded: readonly RecordedExchange[],
): NearestExchange | null => {
  const [nearest] = recorded
    .filter(({ prompt }) => prompt === asked.prompt)
    .map(exchange => ({ exchange, differences: differencesOf(asked, exchange) }))
    .map(near => ({ ...near, distance: distanceOf(asked, near) }))
    .toSorted((a, b) => a.distance - b.distance)
  return nearest === undefined ? null : { exchange: nearest.exchange, differences: nearest.differences }
}

const differencesOf = (
  asked: AskedExchange & { readonly attempt: number },
  exchange: RecordedExchange,
): readonly string[] => {
  const names = new Set([...Object.keys(asked.variables), ...Object.keys(exchange.variables)])
  const variables = [...names].filter(name => asked.variables[name] !== exchange.variables[name])
  return [
    ...(asked.role === exchange.role ? [] : ['role']),
    ...(asked.model === exchange.model ? [] : ['model']),
    ...variables,
    ...(variables.length === 0 && asked.attempt !== exchange.attempt ? ['attempt'] : []),
  ]
}

/** Another attempt is hardly another request; a text that shares its words is nearer than one that does not. */
const distanceOf = (
  asked: AskedExchange & { readonly attempt: number },
  { exchange, differences }: NearestExchange,
): number =>
  differences.reduce((sum, name) => {
    if (name === 'attempt') return sum + 0.1
    if (name === 'role' || name === 'model') return sum + 1
    return sum + 1 - likenessOf(asked.variables[name] ?? '', exchange.variables[name] ?? '') / 2
  }, 0)

/** Share of words that two texts have in common (Jaccard), of the first thousand. */
const likenessOf = (a: string, b: string): number => {
  const [first, second] = [wordsOf(a), wordsOf(b)]
  const shared = [...first].filter(word => second.has(word)).length
  return shared / Math.max(1, first.size + second.size - shared)
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .slice(0, 1_000),
  )
