/** What no row can tell: what will happen, why it happened, what should be done. */
export type BeyondData = 'forecast' | 'cause' | 'opinion'

/** Verbs of what nobody knows yet. What is planned, as in "which contracts will expire", stands in the rows. */
const forecast =
  /\b(?:predict|forecast|foresee)\b|\bwill (?:we|it|they|our \w+|sales|revenue|demand) (?:still )?(?:be|become|run out|last)\b|\bwill\b(?:(?! expire| end| start| be due| renew| arrive)[^.?!])*\b(?:get|have|make|sell|earn|grow|reach|need|lose|go up|go down|increase|rise|fall|drop|be our next|be next|buy|churn|win|cost)\b|\bhow (?:much|many) .*\b(?:are|is) going to\b/i

const cause =
  /^\W*(?:(?:but|and|so|ok|okay)\b\W*)?(?:why|how come)\b|\bwhat (?:caused|causes|drives|is driving|led to)\b/i

const opinion =
  /\bshould (?:we|i|our)\b|\b(?:do|what do|would) you (?:think|recommend|suggest)\b|\b(?:is it|would it be) (?:a good idea|worth|wise|better to)\b|\byour (?:opinion|advice|recommendation)\b/i

/**
 * Whether a question asks for something beyond data. `hasWord` tells whether the database has a table or column with a word:
 * one with forecasts can answer what is forecast.
 */
export const findBeyondData = (text: string, hasWord: (word: string) => boolean): BeyondData | null => {
  if (forecast.test(text)) return hasWord('forecast') || hasWord('prediction') ? null : 'forecast'
  if (cause.test(text)) return 'cause'
  return opinion.test(text) ? 'opinion' : null
}
