import type { TimeSpan, Understanding } from '../../../src/core/understanding.ts'

/** The day a question is asked on and the bounds of its periods, for a prompt: nothing is left to a model's calendar. */
export const describeTime = ({
  spans,
  today,
  timeZone,
}: Pick<Understanding, 'spans' | 'today' | 'timeZone'>): string => {
  const bounded = spans.filter(span => span.from !== null || span.until !== null)
  return [
    `Today is ${today} in ${timeZone}.`,
    ...(bounded.length === 0
      ? ['The question names no period that was understood.']
      : bounded.map(describeSpan)),
  ].join('\n')
}

const describeSpan = ({ phrase, from, until }: TimeSpan): string => {
  const bounds = [from && `from ${from}`, until && `until ${until}, the end excluded`].filter(Boolean)
  return `"${phrase}" is ${bounds.join(' ')}.`
}
