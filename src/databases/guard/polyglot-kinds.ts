const names = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap(line => line.trim().split(/\s+/))

/** Kinds of polyglot nodes that a statement may begin with. */
export const allowedRootKinds: ReadonlySet<string> = new Set(
  names('select union intersect except values subquery'),
)

/**
 * Every kind of polyglot node that may occur in a query. polyglot knows some 900; those that write, define, lock,
 * load or command are not here, nor is anything that nobody has looked at. Functions have kinds of their own, so
 * they are listed too; which of them may be called is decided on the tokens.
 */
export const allowedPolyglotKinds: ReadonlySet<string> = new Set(
  names(
    // queries and their clauses
    `select union intersect except values subquery with cte from where group_by having order_by ordered limit offset
     fetch qualify join joined_table table alias aliases table_alias paren annotated tuple cube rollup grouping_sets
     lateral lateral_view unnest pivot unpivot pivot_any table_sample window window_function over within_group
     index_table_hint`,
    // names and values
    `column star identifier literal boolean null interval interval_span time_unit var data_type introducer
     hex_string_expr byte_string unicode_string array array_func struct struct_func map map_func comprehension`,
    // operators
    `and or not add sub mul div int_div mod neg eq neq lt lte gt gte like i_like glob match similar_to regexp_like
     regexp_i_like is is_null is_true is_false null_safe_eq null_safe_neq in between exists any all case if_func
     concat d_pipe adjacent bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift
     xor collation cast try_cast safe_cast at_time_zone subscript array_slice dot method_call lambda named_argument
     overlaps filter member_of array_contains_all array_contained_by array_overlaps json_extract
     json_extract_scalar scope_resolution`,
    // functions
    `function aggregate_function count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp
     any_value row_number rank dense_rank percent_rank cume_dist n_tile lag lead first_value last_value nth_value
     coalesce null_if nullif if_null nvl greatest least abs ceil floor round trunc_func power sqrt cbrt exp ln log
     mod_func sign pi degrees radians sin cos tan asin acos atan atan2 rand random lower upper length trim l_trim
     r_trim substring replace position str_position left right lpad rpad reverse initcap ascii chr char_func
     concat_ws split split_part substring_index contains starts_with ends_with levenshtein soundex regexp_replace
     regexp_extract group_concat string_agg list_agg array_agg median mode first last logical_and logical_or
     count_if sum_if bitwise_and_agg bitwise_or_agg bitwise_xor_agg approx_distinct approx_count_distinct
     approx_quantile quantile percentile percentile_cont percentile_disc corr covar_pop covar_samp arg_max arg_min
     combined_agg_func typeof convert convert_to_charset cast_to_str_type grouping match_against columns`,
    `extract year month day hour minute second quarter week day_of_month day_of_week day_of_week_iso day_of_year
     week_of_year last_day date time timestamp datetime date_add date_sub date_diff date_trunc date_bin
     timestamp_trunc timestamp_add timestamp_sub timestamp_diff datetime_add datetime_sub datetime_diff
     datetime_trunc to_date to_timestamp to_char date_format format_date str_to_date str_to_time time_to_str
     make_date make_timestamp epoch epoch_ms from_unixtime unix_timestamp add_months months_between dayname
     monthname current_date current_time current_timestamp localtime localtimestamp utc_time utc_timestamp`,
    `json_type json_object json_array_length json_keys json_value json_query to_json parse_json j_s_o_n
     j_s_o_n_array j_s_o_n_array_agg j_s_o_n_object_agg j_s_o_n_key_value j_s_o_n_table j_s_o_n_schema
     j_s_o_n_column_def j_s_o_n_path j_s_o_n_path_root j_s_o_n_path_key`,
    `array_length array_size array_append array_prepend array_contains array_distinct array_intersect
     array_position array_reverse array_concat array_sort array_to_string array_join cardinality element_at
     map_from_entries map_keys map_values safe_divide`,
  ),
)

/** Kinds that may stand in FROM or after JOIN. */
export const sourceKinds: ReadonlySet<string> = new Set(
  names(
    'table subquery joined_table paren values function unnest lateral pivot unpivot table_sample j_s_o_n_table column literal',
  ),
)

/** Kinds that may stand in brackets where a query is expected: a query, or a table in brackets. */
export const bracketKinds: ReadonlySet<string> = new Set(
  names('select union intersect except values subquery table joined_table paren literal column'),
)

/** Parts of a SELECT that may be filled. INTO, locks, hints, settings and output formats are not here. */
export const allowedSelectParts: ReadonlySet<string> = new Set(
  names(
    `expressions from joins lateral_views where_clause group_by having qualify order_by limit offset fetch distinct
     distinct_on top with sample windows leading_comments post_select_comments qualify_after_window limit_by kind`,
  ),
)

/** Parts of a table reference that may be filled. Time travel and names made by functions are not here. */
export const allowedTableParts: ReadonlySet<string> = new Set(
  names(
    'name schema catalog alias alias_explicit_as column_aliases leading_comments trailing_comments hints partitions table_sample only span',
  ),
)

/** Structures, not kinds: objects that have one part only. */
export const plainStructures: ReadonlySet<string> = new Set(
  names('this expressions args num_buckets Preceding Following Value'),
)
