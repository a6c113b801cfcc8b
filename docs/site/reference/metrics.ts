import { metricDefinitions } from '../../../src/telemetry/metric-definitions.ts'
import { makeMetrics } from '../../../src/telemetry/metrics.ts'
import { pageStart, table } from './markdown.ts'

/** The page of all metrics: ours from their definitions, those of the process from the page for Prometheus. */
export const metricsPage = async (): Promise<string> => {
  const own = Object.values(metricDefinitions)
  return [
    ...pageStart(
      'Metrics',
      'What `/metrics` serves for Prometheus; [operating.md](../operating.md#metrics) has alerts to begin with. ' +
        'Labels contain no questions, values, or people.',
    ),
    '',
    '## Querent',
    '',
    'Gauges about queues and the selector come from the store and are the same in every process: use the maximum, not the',
    'sum.',
    ...own.flatMap(metricLines),
    '',
    '## Process',
    '',
    ...table(
      ['metric', 'type', 'meaning'],
      (await processMetrics()).map(({ name, type, help }) => [code(name), type, help]),
    ),
    '',
  ].join('\n')
}

const metricLines = (
  metric: (typeof metricDefinitions)[keyof typeof metricDefinitions],
): readonly string[] => [
  '',
  `### ${code(metric.name)}`,
  '',
  metric.help,
  '',
  [
    `${metric.type.charAt(0).toUpperCase()}${metric.type.slice(1)}.`,
    ...(metric.labels.length === 0 ? [] : [`Labels: ${metric.labels.map(code).join(', ')}.`]),
    ...('buckets' in metric ? [`Buckets in seconds: ${metric.buckets.join(', ')}.`] : []),
  ].join(' '),
]

const code = (name: string): string => `\`${name}\``

/** Metrics about Node and the process, which prom-client adds. */
const processMetrics = async () => {
  const page = await makeMetrics().render()
  const types = new Map([...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]))
  return [...page.matchAll(/^# HELP (\S+) (.*)$/gm)].flatMap(([, name = '', help = '']) =>
    name.startsWith('querent_') ? [] : [{ name, type: types.get(name) ?? '', help }],
  )
}
