import { describe, expect, it } from 'vitest'
import { parseSchedule } from '../../../src/digests/schedule/parse-schedule.ts'

const read = (text: string, timeZone = 'Europe/Berlin'): string => {
  const read = parseSchedule(text, timeZone)
  return read.status === 'read' ? `${read.schedule.cron} = ${read.schedule.words}` : `unclear: ${read.reason}`
}

describe('parseSchedule', () => {
  it.each([
    ['every weekday at 9', '0 9 * * 1-5 = every weekday at 09:00'],
    ['mondays 08:30', '30 8 * * 1 = every Monday at 08:30'],
    ['Mondays 9', '0 9 * * 1 = every Monday at 09:00'],
    ['first of the month at 7am', '0 7 1 * * = on the 1st of each month at 07:00'],
    ['daily 18:00', '0 18 * * * = every day at 18:00'],
    ['every 2 hours', '0 */2 * * * = every 2 hours'],
    ['hourly', '0 * * * * = every hour'],
    ['every hour at :30', '30 * * * * = every hour at minute 30'],
    ['every 15 minutes', '*/15 * * * * = every 15 minutes'],
    ['every mon, wed and fri at 8:15', '15 8 * * 1,3,5 = every Monday, Wednesday and Friday at 08:15'],
    ['mon-fri 9am', '0 9 * * 1,2,3,4,5 = every Monday to Friday at 09:00'],
    ['every month on the 15th at 8', '0 8 15 * * = on the 15th of each month at 08:00'],
    ['the 1st and 15th at 6 p.m.', '0 18 1,15 * * = on the 1st and 15th of each month at 18:00'],
    ['last day of the month 17:00', '0 17 L * * = on the last day of each month at 17:00'],
    ['first monday of the month at 9', '0 9 * * 1#1 = on the first Monday of each month at 09:00'],
    ['last friday of the month at 4pm', '0 16 * * 5L = on the last Friday of each month at 16:00'],
    ['at 9 and 17', '0 9,17 * * * = every day at 09:00 and 17:00'],
    ['every Monday', '0 9 * * 1 = every Monday at 09:00'],
    ['quarterly', '0 9 1 1,4,7,10 * = on the 1st of each quarter at 09:00'],
    ['on 1 January at 8', '0 8 1 1 * = on 1 January of each year at 08:00'],
    ['at midnight on sundays', '0 0 * * 0 = every Sunday at 00:00'],
    ['0 9 * * 1-5', '0 9 * * 1-5 = at 09:00, Monday through Friday'],
  ])('reads %s', (text, expected) => expect(read(text)).toBe(expected))

  it.each([
    ['every other week', "unclear: I can't schedule every other week or day."],
    ['every 7 minutes', 'unclear: I can repeat every 5, 6, 10, 12, 15, 20, 30 minutes, but not every 7.'],
    ['every minute', 'unclear: That would run every minute. The shortest interval is 5 minutes.'],
    ['*/2 * * * *', 'unclear: That would run every 2 minutes. The shortest interval is 5 minutes.'],
    ['58 23 * * *', '58 23 * * * = at 23:58'],
    ['58,59 23 * * *', 'unclear: That would run every minute. The shortest interval is 5 minutes.'],
    ['0,58 0,23 * * *', 'unclear: That would run every 2 minutes. The shortest interval is 5 minutes.'],
    ['0 9 30 2 *', 'unclear: “0 9 30 2 *” is a cron line that never runs, or a field is out of range.'],
    ['0 25 * * *', 'unclear: “0 25 * * *” is a cron line that never runs, or a field is out of range.'],
    ['on 31 february at 9', 'unclear: That date never comes up.'],
    ['every weekday at 25', 'unclear: “every weekday at 25” is not a schedule I understand.'],
    ['at 9:00 and 9:30', 'unclear: All times of one schedule must be at the same minute past the hour.'],
    ['* * * * * *', 'unclear: “* * * * * *” has 6 fields, and a cron line needs five.'],
    ['every weekday at 9 am in Berlin', 'unclear: “every weekday at 9 am in Berlin” includes a time zone.'],
    ['daily 9:00 America/New_York', 'unclear: “daily 9:00 America/New_York” includes a time zone.'],
    ['mondays 8:30 CET', 'unclear: “mondays 8:30 CET” includes a time zone.'],
    ['at 9 in the evening', 'unclear: “at 9 in the evening” is not a schedule I understand.'],
    ['bananas in Berlin', 'unclear: “bananas in Berlin” is not a schedule I understand.'],
    ['bananas', 'unclear: “bananas” is not a schedule I understand.'],
    ['', 'unclear: The schedule is missing.'],
  ])('explains why %s is refused', (text, expected) => expect(read(text)).toBe(expected))

  it('refuses an unknown time zone, with a next step', () => {
    expect(parseSchedule('daily 9:00', 'Mars/Olympus')).toEqual({
      status: 'unclear',
      reason: "I don't know the time zone “Mars/Olympus”.",
      nextStep: 'Use a name such as Europe/Berlin or America/New_York.',
    })
    const unclear = parseSchedule('whenever', 'UTC')
    expect(unclear.status === 'unclear' && unclear.nextStep).toContain('“every weekday at 9”')
  })
})
