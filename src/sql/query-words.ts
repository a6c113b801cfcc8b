/**
 * Words that belong to the grammar of queries, in any dialect, and leave no trace of their own in a tree. No word
 * that begins or belongs to a statement which writes, defines, locks or commands may ever be added.
 */
export const queryWords: ReadonlySet<string> = new Set(
  `select from where group by having order limit offset qualify window with recursive materialized as on using values
   union intersect except minus all distinct top percent ties fetch first last next only rows row
   join inner left right full outer cross natural lateral apply straight_join asof positional semi anti global
   and or not xor in is null true false like ilike glob regexp rlike similar to match escape between symmetric
   asymmetric exists any some isnull notnull overlaps member of sounds div mod collate binary
   case when then else end if cast try_cast at time zone without local array struct map
   over partition range groups unbounded preceding following current exclude filter within separator respect ignore
   nulls asc desc replace rename cube rollup grouping sets
   interval year years quarter quarters month months week weeks day days hour hours minute minutes second seconds
   millisecond milliseconds microsecond microseconds
   int integer bigint smallint tinyint mediumint hugeint real double precision float decimal numeric number varchar
   nvarchar char nchar character varying text string boolean bool date timestamp timestamptz datetime blob bytea
   unsigned signed uuid json jsonb
   leading trailing both placing for pivot unpivot include sample tablesample bernoulli system reservoir repeatable
   use force index indexed key against mode language query expansion dual offsets ordinality final`
    .trim()
    .split(/\s+/),
)
