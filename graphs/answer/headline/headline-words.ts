import { type HeadlineFacts, type HeadlineSource, isBefore } from './headline-facts.ts'

/** Words that turn what a headline says; each kind may stand only where the composed headline has it too. */
const senses: Readonly<Record<string, RegExp>> = {
  most: /\b(?:most|highest|largest|biggest|greatest|longest|top|best|leads?|led|leading|leader|peak(?:ed|s)?|maximum|max|majority)\b/i,
  least: /\b(?:least|fewest|lowest|smallest|shortest|bottom|worst|minimum|min|trails?|trailed|minority)\b/i,
  up: /\b(?:grew|grown|growth|grow(?:s|ing)?|rose|risen|ris(?:e|es|ing)|increas\w*|climb\w*|gain\w*|jump\w*|surg\w*|improv\w*)\b/i,
  down: /\b(?:fell|fallen|fall(?:s|ing)?|decreas\w*|dropp?\w*|declin\w*|lost|shrank|shrunk|shrink\w*|sank|worsen\w*)\b/i,
  more: /\b(?:more than|over|above|at least|exceed\w*|minimum of|upwards of)(?= [€$£]?\d)/i,
  fewer:
    /\b(?:less than|fewer than|under|below|at most|up to|nearly|almost|close to|just|barely)(?= [€$£]?\d)/i,
  none: /\b(?:no|none|not|never|nothing|nobody|without|neither|nor|zero)\b|n['’]t\b/i,
  each: /\b(?:each|apiece|per|average\w*|mean|median|on average)\b/i,
  same: /\b(?:same|equal\w*|tie[ds]?|unchanged|flat)\b/i,
  because:
    /\b(?:because|due to|caused?|thanks to|driven|owing|reason|therefore|expect\w*|forecast\w*|will|likely|probably|should)\b/i,
}

const running = /\b(?:so far|to date|not over yet|not over|still running|yet)\b/i

/** Numbers in words, with what they are if a result can have it. */
const numberWords: Readonly<Record<string, number | null>> = {
  ...Object.fromEntries(
    `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty`
      .split(/\s+/)
      .map((word, value) => [word, value]),
  ),
  ...Object.fromEntries(
    `thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions
    dozen dozens half halves halved double doubled doubling triple tripled quadruple quadrupled twice thrice third thirds
    quarter quarters fifth fifths tenth tenfold twofold threefold fold percent percentage first second fourth sixth
    seventh eighth ninth couple pair several both all every entire whole`
      .split(/\s+/)
      .map(word => [word, null]),
  ),
}

/**
 * Whether a phrased headline keeps the sense of the composed one: what is most stays most, what fell fell, nothing stays
 * nothing, and a period that is still running is marked. Numbers in words must be facts too.
 */
export const keepsSense = (
  text: string,
  { composed, question, subject }: HeadlineSource,
  { figures }: HeadlineFacts,
): boolean => {
  const source = subject === null ? `${composed} ${question}` : composed
  // That a period is not over does not say that there is nothing.
  const without = (one: string): string => one.replace(/\b(?:is )?not over(?: yet)?\b/gi, ' ')
  const turned = Object.values(senses).some(
    sense => sense.test(without(text)) && !sense.test(without(source)),
  )
  const isNothing = senses.none?.test(without(composed)) ?? false
  if (turned || (isNothing && !senses.none?.test(without(text)))) return false
  if (running.test(composed) && !running.test(text)) return false
  if (/\bmore than\b/i.test(composed) && !senses.more?.test(text)) return false
  const said = new Set(`${composed} ${question}`.toLowerCase().match(/\p{L}+/gu))
  return [...text.toLowerCase().matchAll(/\p{L}+/gu)].every(({ 0: word, index }) => {
    if (!Object.hasOwn(numberWords, word) || said.has(word)) return true
    // After digits, these are a part of the figure.
    if (/^(?:thousand|million|billion|percent)$/.test(word)) return /\d $/.test(text.slice(0, index))
    const value = numberWords[word]
    return figures.some(
      ({ rows, unit, before, ...fact }) =>
        rows === null && unit === '' && fact.value === value && before && isBefore(text.slice(index), before),
    )
  })
}
