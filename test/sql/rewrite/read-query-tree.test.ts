import { describe, expect, it } from 'vitest'
import { readQueryTree } from '../../../src/sql/rewrite/plain-query.ts'

/** Read as the same tree by libpg-query and by polyglot. */
const alike = [
  'select a, count(*) as n from s group by a having count(*) >= 2 order by n desc, a limit 3 offset 1',
  "select distinct x.a, y.b from s as x join t as y on x.id = y.s_id left join u using (k) where x.a = 1 and y.b <> 'q'",
  "select a from t where not (b like 'x%' or c in (1, 2)) and d not between 1 and 2 and e is not null",
  'select a from t where f not in (select g from h where h.i = t.i) and not exists (select 1 from u)',
  'select count(distinct a), sum(b * 2), avg(c), min(d), max(d) from t',
  'select a from t where b > (select avg(b) from t)',
  'select a from s union all select b from t order by a limit 2',
  'select a from s intersect select b from t',
  'select a from s except select b from t',
  'with c as (select a as n from s) select n from c join (select b from t) as x on x.b = c.n',
  "select case when a > 1 then 'many' else 'few' end, coalesce(a, -5) from t",
  'select rank() over (partition by a order by b desc) from t',
  'select * from s, t where s.id = t.id',
  'select extract(year from d) from t where flag = true',
]

describe('readQueryTree', () => {
  it.each(alike)('reads %s alike in every dialect', sql => {
    const tree = readQueryTree(sql, 'postgres')
    expect(tree).not.toBeNull()
    for (const dialect of ['sqlite', 'mysql', 'duckdb'] as const)
      expect(readQueryTree(sql, dialect)).toEqual(tree)
  })

  it('takes NOT into what has a negated form', () => {
    const where = (sql: string) => {
      const tree = readQueryTree(`select a from t where ${sql}`, 'sqlite')
      return tree?.kind === 'select' ? tree.where : null
    }
    expect(where('not a in (1)')).toMatchObject({ kind: 'in', negated: true })
    expect(where('a is not null')).toMatchObject({ kind: 'null-test', negated: true })
    expect(where('not not a = 1')).toMatchObject({ kind: 'compare', operator: '=' })
    expect(where('not a = 1')).toMatchObject({ kind: 'not', operand: { operator: '=' } })
    expect(where("a not like 'x'")).toMatchObject({ kind: 'compare', operator: 'not like' })
  })

  it('reads both sides of REGEXP', () => {
    for (const dialect of ['sqlite', 'mysql'] as const)
      expect(readQueryTree("select a from t where b regexp 'x'", dialect)).toMatchObject({
        where: { operator: 'like', left: { name: 'b' }, right: { value: 'x' } },
      })
  })

  it("tells SQLite's double quotes apart from names", () => {
    const tree = readQueryTree('select "a" from t where t."b" = c', 'sqlite')
    expect(tree).toMatchObject({ outputs: [{ expression: { mayBeText: true } }] })
    expect(tree).toMatchObject({ where: { left: { mayBeText: false }, right: { mayBeText: false } } })
  })

  it('reads joins of every kind', () => {
    const joins = (sql: string) => {
      const tree = readQueryTree(sql, 'postgres')
      return tree?.kind === 'select' ? tree.from.map(({ join }) => join) : null
    }
    expect(joins('select 1 from a join b on true right join c on true, d natural join e')).toEqual([
      null,
      'inner',
      'right',
      'cross',
      'natural',
    ])
    expect(joins('select 1 from a cross join b full join c on true')).toEqual([null, 'cross', 'full'])
  })

  it.each(['delete from t', 'select 1; select 2', 'selec', ''])('has no tree for "%s"', sql => {
    expect(readQueryTree(sql, 'postgres')).toBeNull()
    expect(readQueryTree(sql, 'sqlite')).toBeNull()
  })
})
