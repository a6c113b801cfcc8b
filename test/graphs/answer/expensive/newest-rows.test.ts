import { describe, expect, it } from 'vitest'
import { narrowTable } from '../../../../graphs/answer/expensive/newest-rows.ts'

const narrow = (sql: string, table = 'events') =>
  narrowTable(sql, 'postgres', { table, rest: "WHERE kind = 'a'" })

describe('a statement over a part of a table', () => {
  it.each([
    ['select count(*) from events', "select count(*) from (SELECT * FROM events WHERE kind = 'a') AS events"],
    [
      'select e.id from shop.events e where e.id > 5',
      "select e.id from (SELECT * FROM shop.events WHERE kind = 'a') e where e.id > 5",
    ],
    [
      'select * from users u join "events" as e on e.user_id = u.id',
      `select * from users u join (SELECT * FROM "events" WHERE kind = 'a') as e on e.user_id = u.id`,
    ],
    [
      'select 1 from users, events order by 1',
      "select 1 from users, (SELECT * FROM events WHERE kind = 'a') AS events order by 1",
    ],
    [
      'select name from users where id in (select user_id from events)',
      "select name from users where id in (select user_id from (SELECT * FROM events WHERE kind = 'a') AS events)",
    ],
  ])('of %s', (sql, expected) => {
    expect(narrow(sql)).toBe(expected)
  })

  it('is none where the table is not read, or only a column or a function is called so', () => {
    expect(narrow('select events from users')).toBeNull()
    expect(narrow('select u.events, events.id from users u')).toBeNull()
    expect(narrow('select * from events(5)')).toBeNull()
    expect(narrow("select 'from events'")).toBeNull()
  })
})
