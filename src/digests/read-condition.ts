import type { DigestCondition } from '../core/digest.ts'

const conditionSubject =
  "(?:(?:it|its result|its value|its number|this|that|something|anything|the (?:answer|result|value|number|total|rows?))(?:'s| is| are| has| have| was)? )?"
const numberPattern = String.raw`([+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)`
const changedPattern = new RegExp(`^${conditionSubject}(?:changed|changes|change|different|differs|new)$`)
const abovePattern = new RegExp(
  `^${conditionSubject}(?:goes |rises )?(?:above|over|more than|greater than|higher than|larger than|exceeds|>) ?${numberPattern}$`,
)
const belowPattern = new RegExp(
  `^${conditionSubject}(?:goes |falls |drops )?(?:below|under|less than|lower than|smaller than|fewer than|<) ?${numberPattern}$`,
)
const movedPattern = new RegExp(
  `^${conditionSubject}(?:changes|changed|change|moves|moved|move|differs)(?: up or down)? by (?:at least )?${numberPattern} ?(?:%|percent|per cent|pct)(?: or more)?(?:,? up or down)?$`,
)

/** Reads `it changed`, `above 1,200.5`, `it changes by 10 %`; null for anything else. What is said of it in `formatCondition` is read. */
export const parseCondition = (text: string): DigestCondition | null => {
  const said = text
    .toLowerCase()
    .replaceAll('−', '-')
    .replace(/[’]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[ ,.]+$/, '')
    .trim()
  if (changedPattern.test(said)) return { kind: 'changed' }
  const over = amountOf(abovePattern.exec(said)?.[1])
  if (over !== null) return { kind: 'above', value: over }
  const under = amountOf(belowPattern.exec(said)?.[1])
  if (under !== null) return { kind: 'below', value: under }
  const by = amountOf(movedPattern.exec(said)?.[1])
  return by !== null && by > 0 ? { kind: 'moved', percent: by } : null
}

/** A comma counts only between groups of three. */
const amountOf = (text: string | undefined): number | null => {
  if (text === undefined) return null
  const [whole = ''] = /^[+-]?[\d,]+/.exec(text) ?? []
  if (whole.includes(',') && !/^[+-]?\d{1,3}(,\d{3})+$/.test(whole)) return null
  const value = Number(text.replaceAll(',', ''))
  return Number.isFinite(value) ? value : null
}
