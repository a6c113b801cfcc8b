import { resolve } from 'node:path'
import { makePoolReplayPath } from '../../graphs/answer/paths/pool-replay.ts'
import type { DraftPath } from '../core/draft.ts'
import { QuerentError } from '../core/errors.ts'
import { parsePoolSpec } from '../evaluation/pool-spec.ts'
import { poolCandidates, readPoolsFile } from '../evaluation/pools-file.ts'

/** The model of `--model pool:FILE#A+B`: its drafts come from a file of candidates, found by the question's id. */
export type MakeReplayDrafter = (lineIdOf: (questionId: string) => string | undefined) => DraftPath

/** Reads the file that `--model` names; null when it names no file of candidates. Throws `bad-arguments`. */
export const readReplayModel = async (
  model: string | undefined,
  folder: string,
): Promise<MakeReplayDrafter | null> => {
  if (!model?.startsWith('pool:')) return null
  const [, file, pool] = /^pool:(.+)#([^#]+)$/.exec(model) ?? []
  if (file === undefined || pool === undefined)
    throw new QuerentError(
      'bad-arguments',
      `"${model}" names no pool; write pool:FILE#POOL, for instance pool:candidates.jsonl.gz#gpt4_10+dailsql10.`,
    )
  const spec = parsePoolSpec(pool)
  const pools = await readPoolsFile(resolve(folder, file))
  const candidates = new Map([...pools].map(([id, line]) => [id, poolCandidates(line, spec)]))
  const samples = Math.max(0, ...[...candidates.values()].map(list => list.length))
  return lineIdOf => makePoolReplayPath({ samples, draftsOf: id => candidates.get(lineIdOf(id) ?? '') ?? [] })
}
