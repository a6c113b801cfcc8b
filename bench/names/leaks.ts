import Table from 'cli-table3'
import { settings } from '../../test/databases/guard/names/names-world.ts'
import { type LeakReport, runLeaks } from '../../test/databases/guard/names/run-leaks.ts'
import { mostFrequent, type NamesBench, onEachServer } from './names-bench.ts'

/** Runs generated statements over two worlds that differ only in what is hidden. True if nothing was seen of it. */
export const reportLeaks = async (bench: NamesBench): Promise<boolean> => {
  const statements = bench.statements ?? 20_000
  const reports = await onEachServer(bench, async (server, name) => {
    const report = await runLeaks(server, {
      statements,
      seed: bench.seed,
      onProgress: (done, leaks) => {
        if (!bench.json) process.stderr.write(`\r${name}: ${done} of ${statements}, ${leaks} leaks `)
      },
    })
    if (!bench.json) {
      process.stderr.write('\n')
      for (const { setting, seed, sql, why } of report.leaks.slice(0, 40))
        process.stderr.write(`${name} ${setting} ${seed ?? 'known'}: ${JSON.stringify(sql)}\n    ${why}\n`)
      if (bench.reasons) process.stderr.write(mostFrequent(report.reasons, 40))
    }
    return report
  })
  if (bench.json) process.stdout.write(`${JSON.stringify(figures(reports))}\n`)
  else printTable(reports)
  return Object.values(reports).every(({ leaks }) => leaks.length === 0)
}

const figures = (reports: Readonly<Record<string, LeakReport>>): unknown =>
  Object.fromEntries(
    Object.entries(reports).map(([name, { counts, leaks }]) => {
      const sum = (key: 'statements' | 'ran' | 'refused' | 'failed' | 'arbitrary' | 'leaked'): number =>
        settings.reduce((total, setting) => total + counts[setting][key], 0)
      return [
        name,
        {
          statements: sum('statements'),
          ran: sum('ran'),
          refused: sum('refused'),
          failed: sum('failed'),
          arbitrary: sum('arbitrary'),
          leaks: leaks.length,
          found: leaks.slice(0, 40),
          settings: counts,
        },
      ]
    }),
  )

const printTable = (reports: Readonly<Record<string, LeakReport>>): void => {
  const table = new Table({
    head: [
      'server',
      'setting',
      'statements',
      'ran',
      'refused',
      'failed',
      'arbitrary',
      'leaked',
      'known tricks',
    ],
  })
  for (const [name, { counts, leaks }] of Object.entries(reports))
    for (const setting of settings) {
      const { statements, ran, refused, failed, arbitrary, leaked } = counts[setting]
      const known = leaks.filter(leak => leak.setting === setting && leak.seed === null).length
      const share = `${ran} (${Math.round((100 * ran) / Math.max(1, statements))}%)`
      table.push([name, setting, statements, share, refused, failed, arbitrary, leaked, known])
    }
  process.stdout.write(`${table.toString()}\n`)
}
