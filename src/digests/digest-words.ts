import { IANAZone } from 'luxon'
import type { DigestCondition } from '../domain/digests/digest.ts'
import type { ParseDigestWords, ParsedDigest } from '../domain/digests/use-cases.ts'
import { parseSchedule } from './schedule/parse-schedule.ts'

/** Start of a clause other than the schedule. A channel needs its `#`, so that `in January` stays a date. */
const clauseStart =
  /(?:^|[ ,])\s*(?=(?:only\b|if\b|when\b|unless\b|quiet(?:ly)?\b|silent(?:ly)?\b|always\b|(?:in|to|into|for) (?:<[#@]|#)|(?:in|to) [CGU][A-Z0-9]{7,}\b|(?:just |only )?(?:to|for) (?:me|its owner)\b))/g

const conditions =
  'A condition is “if it changed”, “if above 100”, “if below 100” or “if it changes by 10%”. “to me” or “in #channel” says where it goes.'

type Clause =
  | { readonly kind: 'condition'; readonly condition: DigestCondition; readonly isQuiet?: true }
  | { readonly kind: 'target'; readonly target: NonNullable<ParsedDigest['target']> }

/** Parses schedule, condition and target. Anything not understood is reported, and nothing is skipped. */
export const parseDigestWords: ParseDigestWords = text => {
  const normalized = text.replace(/\s+/g, ' ').trim()
  // Querent's own wording followed by a cron line may contain `only in January`.
  const least = /^.*?\(cron [^()]+\)/.exec(normalized)?.[0].length ?? 0
  const starts = [...normalized.matchAll(clauseStart)]
    .map(match => match.index + match[0].length)
    .filter(at => at >= least)
  // `only above 5`, `only to me` and `quietly unless above 5` are one clause each.
  const places = starts.filter((at, i) => {
    const before = normalized.slice(starts[i - 1], at)
    const isUnless = /^unless\b/i.test(normalized.slice(at))
    return i === 0 || !(isUnless ? /^(?:quiet(?:ly)?|silent(?:ly)?),? ?$/i : /^only ?$/i).test(before)
  })
  const [head = '', ...rest] = [0, ...places].map((at, i, all) =>
    trimCommas(normalized.slice(at, all[i + 1])),
  )
  // Without a schedule before them, the clauses may be meant as one: `when the moon is full`.
  const { schedule, timeZone } = zoneOf(head === '' ? normalized : head)
  const read = parseSchedule(schedule, timeZone ?? 'UTC')
  if (read.status === 'unclear') return read
  const understood = [read.schedule.words]
  let condition: Extract<Clause, { kind: 'condition' }> | null = null
  let target: ParsedDigest['target'] = null
  for (const clause of rest) {
    const known = parseClause(clause)
    if (known === null) return unclear(`I don't understand “${cut(clause)}”.`, understood)
    if (known.kind === 'target') {
      if (target !== null)
        return unclear(`“${cut(clause)}” is a second destination, and a digest has one.`, understood)
      target = known.target
    } else {
      if (condition !== null && !condition.isQuiet)
        return unclear(`“${cut(clause)}” is a second condition, and a digest has one.`, understood)
      condition = known
    }
    understood.push(clause)
  }
  return {
    status: 'read',
    digest: { schedule, timeZone, condition: condition?.condition ?? { kind: 'always' }, target },
  }
}

/** A time zone in parentheses after the schedule, as Querent writes it. */
const zoneOf = (head: string): { readonly schedule: string; readonly timeZone: string | null } => {
  const [, schedule = '', zone = ''] = /^(.*)\(([A-Za-z][\w/+-]*)\)$/.exec(head) ?? []
  return IANAZone.isValidZone(zone)
    ? { schedule: trimCommas(schedule), timeZone: zone }
    : { schedule: head, timeZone: null }
}

const parseClause = (clause: string): Clause | null => parseTarget(clause) ?? parseConditionClause(clause)

const parseConditionClause = (clause: string): Clause | null => {
  if (/^always$/i.test(clause)) return { kind: 'condition', condition: { kind: 'always' } }
  if (/^(?:quiet(?:ly)?|silent(?:ly)?)$/i.test(clause))
    return { kind: 'condition', condition: { kind: 'changed' }, isQuiet: true }
  if (
    /^unless (?:it is |it's )?(?:the same|unchanged|nothing (?:has )?changed|nothing is new|it (?:has not|hasn't|did not|didn't) changed?)$/i.test(
      clause,
    )
  )
    return { kind: 'condition', condition: { kind: 'changed' } }
  const [, words] =
    /^(?:(?:only (?:if|when)|only|if|when|(?:quiet(?:ly)?|silent(?:ly)?),? unless)) (.+)$/i.exec(clause) ?? []
  const condition = words === undefined ? null : parseCondition(words)
  return condition && { kind: 'condition', condition }
}

const parseTarget = (clause: string): Clause | null => {
  if (/^(?:(?:just|only) )?(?:to|for) (?:me|its owner)(?: alone| only)?$/i.test(clause))
    return { kind: 'target', target: { kind: 'asker' } }
  const [, person] =
    /^(?:to|for) (?:<@([UW][A-Z0-9]+)(?:\|[^>]*)?>|([UW][A-Z0-9]{7,}))(?: alone| only)?$/
      .exec(clause)
      ?.filter(part => part !== undefined) ?? []
  if (person) return { kind: 'target', target: { kind: 'person', person } }
  const [, channel] =
    /^(?:in|into|to) (?:<#([CG][A-Z0-9]+)(?:\|[^>]*)?>|([CG][A-Z0-9]{7,}))$/
      .exec(clause)
      ?.filter(part => part !== undefined) ?? []
  if (channel) return { kind: 'target', target: { kind: 'channel', channel } }
  const [, name] = /^(?:in|into|to) #([\p{L}\p{N}_-]{1,80})$/u.exec(clause) ?? []
  return name ? { kind: 'target', target: { kind: 'channel-name', name } } : null
}

const unclear = (reason: string, understood: readonly string[]) =>
  ({ status: 'unclear', reason, nextStep: `Understood: ${understood.join(', ')}. ${conditions}` }) as const

const trimCommas = (text: string): string => text.replace(/^[ ,]+/, '').replace(/[ ,]+$/, '')

const cut = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text)

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

/**
 * Parses `it changed`, `above 1,200.5`, `it changes by 10 %`; null for anything else. It reads whatever
 * `formatCondition` writes.
 */
const parseCondition = (text: string): DigestCondition | null => {
  const normalized = text
    .toLowerCase()
    .replaceAll('−', '-')
    .replace(/[’]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/[ ,.]+$/, '')
    .trim()
  if (changedPattern.test(normalized)) return { kind: 'changed' }
  const over = amountOf(abovePattern.exec(normalized)?.[1])
  if (over !== null) return { kind: 'above', value: over }
  const under = amountOf(belowPattern.exec(normalized)?.[1])
  if (under !== null) return { kind: 'below', value: under }
  const by = amountOf(movedPattern.exec(normalized)?.[1])
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
