import { randomUUID } from 'node:crypto'
import { Cron } from 'croner'
import { nextDue } from '../../../src/digests/schedule/next-due.ts'
import { parseSchedule } from '../../../src/digests/schedule/parse-schedule.ts'
import type { Digest } from '../../../src/domain/digests/digest.ts'

/** Zones whose clocks change at different times, by an hour or by half of one, or never. */
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'Pacific/Chatham',
]

const weekdays = ['mondays', 'tuesdays', 'wednesdays', 'thursdays', 'fridays', 'saturdays', 'sundays']

/** With those that the clocks jump over or show twice. */
const times = ['02:00', '02:15', '02:30', '03:00', '07:45', '08:00', '09:00', '17:30']

/**
 * Digests of a company: of ten one is due on every weekday, two once a month, the others once a week. Their questions
 * are about last week, or have no period.
 */
export const planDigests = (count: number, start: Date): readonly Digest[] =>
  Array.from({ length: count }, (_, index) => {
    const zone = zones[index % zones.length] ?? 'UTC'
    const time = times[(index * 5) % times.length]
    const day =
      index % 10 === 0
        ? 'every weekday'
        : index % 10 < 3
          ? `the ${1 + (index % 28)}th of the month`
          : weekdays[index % weekdays.length]
    const read = parseSchedule(`${day} at ${time}`, zone)
    if (read.status === 'unclear') throw new Error(`${day} at ${time}: ${read.reason}`)
    const { schedule } = read
    return {
      id: randomUUID(),
      team: 'T1',
      owner: `U${index % 40}`,
      title: `Hires ${index}`,
      questions: [
        {
          id: randomUUID(),
          text: 'How many hires were there?',
          database: 'cycles',
          statement: { sql: 'select count(*) as hires from hires', today: '2026-01-01', periods: [] },
          fingerprint: '',
        },
      ],
      schedule,
      condition: { kind: 'always' },
      target: { kind: 'channel', channel: `C${index % 20}` },
      pause: null,
      nextDue: nextDue(schedule, start),
      failures: 0,
      createdAt: start,
      repair: null,
    }
  })

/** Every due time of a digest after `start` and until `end`, by another library than the one under test. ISO. */
export const dueTimesOf = ({ schedule }: Digest, start: Date, end: Date): readonly string[] => {
  const cron = new Cron(schedule.cron, { timezone: schedule.timeZone })
  const found: string[] = []
  for (let due = cron.nextRun(start); due !== null && due <= end; due = cron.nextRun(due))
    found.push(due.toISOString())
  return found
}
