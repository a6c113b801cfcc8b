import type { Token } from '../tokenise/token.ts'

/** For each place between tokens the function word before it and after it, articles left out; `other` for content. */
export interface AdjacentWords {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const articles = new Set(['the', 'a', 'an', 'all', 'any', 'some', 'their', 'his', 'her', 'its', 'each'])

const recognizedWords = new Set(
  `of for in on at from by with without to into and or that who which whose where when is are was were has have had do
  does did not than as per between across through , . ? ' 's ’s how what find show list give which`.split(
    /\s+/,
  ),
)

/** Reads the little words around every place of a question. */
export const findAdjacentWords = (tokens: readonly Token[]): AdjacentWords => {
  const before: string[] = []
  const after: string[] = []
  for (let place = 0; place <= tokens.length; place++) {
    let at = place - 1
    while (at >= 0 && articles.has(tokens[at]?.folded ?? '')) at--
    before.push(at < 0 ? 'start' : nameOf(tokens[at]))
    const next = tokens[place]
    after.push(next === undefined ? 'end' : nameOf(next))
  }
  return { before, after }
}

const nameOf = (token: Token | undefined): string =>
  token === undefined
    ? 'start'
    : recognizedWords.has(token.folded)
      ? token.folded
      : token.kind === 'number' || token.kind === 'quoted'
        ? token.kind
        : 'other'
