import type { Column } from '../../domain/catalog.ts'
import type { Unit } from '../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../lib/fold-text.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const moneyWords = words(
  `amount price cost costs revenue sales turnover spend spending expense expenses fee fees salary wage wages pay budget
  balance payment payments charge charges tax taxes income profit margin freight tuition premium premiums deposit tip
  refund refunds debt earnings subtotal mrr arr copay cash fare rent invoiced billed paid msrp`,
)

/** Words for money only where nothing says otherwise: the total of an order, but not a total of points. */
const perhapsMoney = words('total value discount credit worth')

const shareWords = words('percent percentage pct rate ratio share probability')

const currencies: readonly (readonly [RegExp, string])[] = [
  [/\beur\b|\beuros?\b|€/i, 'EUR'],
  [/\busd\b|\bdollars?\b|\$/i, 'USD'],
  [/\bgbp\b|\bpounds? sterling\b|£/i, 'GBP'],
  [/\bchf\b|\bfrancs?\b/i, 'CHF'],
]

const durations: Readonly<Record<string, 'second' | 'minute' | 'hour' | 'day'>> = {
  seconds: 'second',
  secs: 'second',
  sec: 'second',
  minutes: 'minute',
  mins: 'minute',
  min: 'minute',
  hours: 'hour',
  hrs: 'hour',
  days: 'day',
}

const suffixes: Readonly<Record<string, string>> = {
  kg: 'kg',
  grams: 'g',
  km: 'km',
  miles: 'mi',
  meters: 'm',
  cm: 'cm',
  liters: 'l',
  gb: 'GB',
  mb: 'MB',
  kwh: 'kWh',
}

/**
 * What a number in a column is measured in, from its name, its comment and its values; null if nothing says so.
 * Amounts in cents or micros are scaled to whole units.
 */
export const unitOf = ({ name, comment, profile, kind }: Column): Unit | null => {
  if (kind !== 'integer' && kind !== 'number' && profile?.numericText !== true) return null
  const own = splitName(name)
  if (/^(?:id|key)$/.test(own.at(-1) ?? '')) return null
  const last = own.at(-1) ?? ''
  const text = comment ?? ''
  const code =
    currencies.find(([pattern]) => pattern.test(text) || own.some(word => pattern.test(word)))?.[1] ?? null
  if (
    own.includes('cents') ||
    (own.includes('cent') && kind === 'integer') ||
    /\bin (?:euro |us )?cents\b/i.test(text)
  )
    return { kind: 'currency', code, scale: 0.01 }
  if (own.includes('micros')) return { kind: 'currency', code, scale: 0.000001 }
  const max = typeof profile?.max === 'number' ? profile.max : Number(profile?.max ?? Number.NaN)
  if (own.some(word => shareWords.has(word)) && !own.some(word => moneyWords.has(word)))
    return own.includes('exchange') || own.includes('hourly') || own.includes('daily')
      ? null
      : { kind: 'percent', scale: max <= 1 ? 100 : 1 }
  const duration = durations[last]
  if (duration !== undefined) return { kind: 'duration', unit: duration }
  const suffix = suffixes[last]
  if (suffix !== undefined) return { kind: 'other', suffix, scale: 1 }
  if (own.some(word => moneyWords.has(word)) || code !== null) return { kind: 'currency', code, scale: 1 }
  if (own.includes('discount') && max <= 1) return { kind: 'percent', scale: 100 }
  const hasDecimals = kind === 'number'
  return own.some(word => perhapsMoney.has(word)) && hasDecimals ? { kind: 'currency', code, scale: 1 } : null
}

/** Words of a name that only say its unit: nobody says them. */
export const unitWords: ReadonlySet<string> = words(
  'cents cent micros eur usd gbp chf seconds secs sec minutes mins hours hrs kg grams km miles gb mb kwh pct percent',
)
