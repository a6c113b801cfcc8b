import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parsePoolSpec, poolCandidates, readPoolsFile } from '../../src/evaluation/pools-file.ts'

const line = {
  id: 'q/1',
  db_id: 'harbours',
  pools: {
    a: [
      { sql: 'select 1', ex: true, runs: true },
      { sql: 'select 2', ex: false },
    ],
    b: [{ sql: 'select 3', result: 'x', rows: 1 }],
  },
  systems: { 'n/S': { sql: 'select 4', ex: true } },
}

const write = (text: string | Uint8Array, name = 'pools.jsonl'): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'querent-pools-')), name)
  writeFileSync(path, text)
  return path
}

describe('readPoolsFile', () => {
  it('keeps nothing of a candidate but its text', async () => {
    const pools = await readPoolsFile(write(`${JSON.stringify(line)}\n`))
    expect(JSON.stringify(pools.get('q/1'))).not.toMatch(/"(?:ex|runs|result|rows)"/)
  })

  it('reads gzip as well', async () => {
    const pools = await readPoolsFile(write(gzipSync(JSON.stringify(line)), 'pools.jsonl.gz'))
    expect(poolCandidates(pools.get('q/1')!, parsePoolSpec('b'))).toEqual([
      { sql: 'select 3', source: 'b', rank: 0 },
    ])
  })

  it('names the bad line, and the missing file', async () => {
    await expect(readPoolsFile(write(`${JSON.stringify(line)}\n{"id": 1, "pools": 3}\n`))).rejects.toThrow(
      /line 2/,
    )
    await expect(readPoolsFile('/nowhere/pools.jsonl')).rejects.toThrow(/Check the path/)
  })
})

describe('poolCandidates', () => {
  const of = async (spec: string): Promise<readonly string[]> => {
    const pools = await readPoolsFile(write(JSON.stringify(line)))
    return poolCandidates(pools.get('q/1')!, parsePoolSpec(spec)).map(
      ({ sql, source, rank }) => `${source}/${rank}: ${sql}`,
    )
  }
  it('takes one of each pool in turn', async () => {
    expect(await of('a+b')).toEqual(['a/0: select 1', 'b/0: select 3', 'a/1: select 2'])
  })
  it('takes the answers of systems', async () => {
    expect(await of('systems:n/S')).toEqual(['n/S/0: select 4'])
  })
  it('lists the known names if a name is wrong', async () => {
    await expect(of('c')).rejects.toThrow(/“c” for q\/1\. Candidates: a, b/)
    expect(() => parsePoolSpec('a++b')).toThrow(/does not name a pool/)
    expect(() => parsePoolSpec('a+a')).toThrow(/twice/)
  })
})
