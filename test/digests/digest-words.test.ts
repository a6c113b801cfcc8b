import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDigestWords } from '../../src/digests/digest-words.ts'
import { isSameCron } from '../../src/digests/schedule/next-due.ts'
import { parseSchedule } from '../../src/digests/schedule/parse-schedule.ts'
import type { Digest, DigestCondition, DigestTarget } from '../../src/domain/digests/digest.ts'
import { formatSchedule, formatTarget } from '../../src/slack/views/digests/format.ts'

const read = (text: string) => {
  const read = parseDigestWords(text)
  return read.status === 'read' ? read.digest : read.reason
}

const always = { kind: 'always' }

const changed = { kind: 'changed' }

const above = (value: number) => ({ kind: 'above', value })

const below = (value: number) => ({ kind: 'below', value })

const moved = (percent: number) => ({ kind: 'moved', percent })

const me = { kind: 'asker' }

describe('a digest in words', () => {
  it.each([
    ['every monday at 9', 'every monday at 9', always, null],
    ['0 9 * * 1-5 if it changed', '0 9 * * 1-5', changed, null],
    ['every monday 9:00 if above 100', 'every monday 9:00', above(100), null],
    ['daily, only when it is more than 1,234.5', 'daily', above(1234.5), null],
    ['daily when the number drops below -3', 'daily', below(-3), null],
    ['daily if < 1e3 to me', 'daily', below(1000), me],
    ['hourly only if it changes by 10 %', 'hourly', moved(10), null],
    ['hourly to me alone, only when it moved by 2.5 percent or more', 'hourly', moved(2.5), me],
    ['daily quietly', 'daily', changed, null],
    ['daily, quiet unless above 5', 'daily', above(5), null],
    ['daily unless nothing changed', 'daily', changed, null],
    ['daily only to me', 'daily', always, me],
    ['daily in #sales if it changed', 'daily', changed, { kind: 'channel-name', name: 'sales' }],
    [
      'on 1 January at 8 in <#C12345678|sales>',
      'on 1 January at 8',
      always,
      { kind: 'channel', channel: 'C12345678' },
    ],
    ['daily to <@U12345678>', 'daily', always, { kind: 'person', person: 'U12345678' }],
  ])('is parsed: %s', (text, schedule, condition, target) => {
    expect(read(text)).toEqual({ schedule, timeZone: null, condition, target })
  })

  it.each([
    ['daily if the moon is full', "I don't understand “if the moon is full”."],
    ['daily if it is at least 10', "I don't understand “if it is at least 10”."],
    ['daily if above 1,2', "I don't understand “if above 1,2”."],
    ['daily if it changes by 0 %', "I don't understand “if it changes by 0 %”."],
    ['daily unless above 5', "I don't understand “unless above 5”."],
    ['daily if above 5 if below 9', '“if below 9” is a second condition, and a digest has one.'],
    ['daily to me in #sales', '“in #sales” is a second destination, and a digest has one.'],
    ['bananas if it changed', '“bananas” is not a schedule I understand.'],
    ['if it changed', '“if it changed” is not a schedule I understand.'],
    ['', 'The schedule is missing.'],
  ])('is refused with a reason: %s', (text, reason) => expect(read(text)).toBe(reason))

  it('is refused with what was understood', () => {
    const unclear = parseDigestWords('mondays 8:30 to me if it rains')
    expect(unclear.status === 'unclear' && unclear.nextStep).toContain(
      'Understood: every Monday at 08:30, to me.',
    )
  })
})

const number = fc.double({ noNaN: true, noDefaultInfinity: true })

const condition: fc.Arbitrary<DigestCondition> = fc.oneof(
  fc.constantFrom<DigestCondition>({ kind: 'always' }, { kind: 'changed' }),
  fc.record({ kind: fc.constantFrom('above' as const, 'below' as const), value: number }),
  fc
    .double({ min: Number.MIN_VALUE, max: 1e300, noNaN: true })
    .map(percent => ({ kind: 'moved' as const, percent })),
)

const id = fc.string({ unit: fc.constantFrom(...'ABCXYZ0189'), minLength: 8, maxLength: 11 })

const target: fc.Arbitrary<DigestTarget> = fc.oneof(
  id.map(rest => ({ kind: 'channel' as const, channel: `C${rest}` })),
  id.map(rest => ({ kind: 'person' as const, person: `U${rest}` })),
)

const list = (most: number, least = 0): fc.Arbitrary<string> =>
  fc
    .uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 3 })
    .map(found => found.sort((a, b) => a - b).join(','))

const cron: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(fc.integer({ min: 0, max: 59 }).map(String), fc.constant('*/15')),
    fc.oneof(list(23), fc.constantFrom('*', '*/2', '9-17')),
    fc.oneof(fc.constantFrom('*', 'L'), list(28, 1)),
    fc.oneof(fc.constant('*'), list(12, 1), fc.constant('1-6')),
    fc.oneof(fc.constantFrom('*', '1-5', '5L', '1#2'), list(6)),
  )
  .map(fields => fields.join(' '))

const words = fc.constantFrom(
  ...['every weekday at 9', 'mondays 08:30', 'daily 18:00', 'hourly', 'every 15 minutes', 'quarterly'],
  ...['last day of the month 17:00', 'first monday of the month at 9', 'on 1 January at 8', 'at 9 and 17'],
  ...['the 1st and 15th at 6pm', 'every mon, wed and fri at 8:15', 'last friday of the month at 4pm'],
)

const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5')

describe('the description of a digest', () => {
  it('parses back to the same digest', () => {
    fc.assert(
      fc.property(fc.oneof(cron, words), zone, condition, target, (text, timeZone, condition, target) => {
        const parsed = parseSchedule(text, timeZone)
        fc.pre(parsed.status === 'read')
        if (parsed.status !== 'read') return
        const digest: Pick<Digest, 'schedule' | 'condition' | 'target'> = {
          schedule: parsed.schedule,
          condition,
          target,
        }
        const said = `${formatSchedule(digest)}, ${formatTarget(digest)}`
        const back = parseDigestWords(said)
        if (back.status !== 'read') throw new Error(`${said}: ${back.reason}`)
        const again = parseSchedule(back.digest.schedule, back.digest.timeZone ?? '')
        if (again.status !== 'read') throw new Error(`${said}: ${again.reason}`)
        expect(again.schedule.timeZone).toBe(timeZone)
        if (!isSameCron(again.schedule.cron, parsed.schedule.cron))
          throw new Error(`${said}: ${again.schedule.cron} for ${parsed.schedule.cron}`)
        expect(back.digest.condition).toEqual(condition)
        expect(back.digest.target).toEqual(target)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    '0 0,2,4,6,8,10,12,14,16,18,20,22 1,3,5,7,9,11,13,15,17,19,21,23,25,27 1,3,5,7,9,11 *',
    '0,15,30,45 0,2,4,6,8,10,12,14,16,18,20,22 1,3,5,7,9,11,13,15,17,19,21,23,25,27 1,3,5,7,9,11 1,3,5',
    `0 9 ${Array.from({ length: 28 }, (_, i) => i + 1).join(',')} 1,2,3,4,5,6,7,8,9,10,11,12 0,1,2,3,4,5,6`,
  ])('parses back if its words are too long to show: %s', cron => {
    const parsed = parseSchedule(cron, 'Europe/Berlin')
    if (parsed.status !== 'read') throw new Error(parsed.reason)
    expect(parsed.schedule.words.length).toBeGreaterThan(300)
    const said = formatSchedule({ schedule: parsed.schedule, condition: { kind: 'above', value: 5 } })
    expect(said.length).toBeLessThan(400)
    expect(parseDigestWords(said)).toMatchObject({
      digest: { timeZone: 'Europe/Berlin', condition: { kind: 'above', value: 5 } },
    })
    const back = parseDigestWords(said)
    const again = back.status === 'read' ? parseSchedule(back.digest.schedule, 'Europe/Berlin') : back
    expect(again.status === 'read' && isSameCron(again.schedule.cron, cron)).toBe(true)
  })
})
