/* One description of fields is written as table, JSON and CSV. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/common/memory.h"
#include "driver/common/records.h"

#include <stdlib.h>

struct fruit {
    const char *name;
    int apples, seeds;      /* -1: not known */
};

static const struct fruit fruits[] = { { "jam, red", 3, 0 }, { "pie", 12, -1 } }, all = { "all", 15, 0 };

static json_t *name(const void *record)
{
    return json_string(((const struct fruit *)record)->name);
}

static json_t *apples(const void *record)
{
    return json_integer(((const struct fruit *)record)->apples);
}

static json_t *half(const void *record)
{
    return json_real(((const struct fruit *)record)->apples / 2.0);
}

static json_t *seeds(const void *record)
{
    int count = ((const struct fruit *)record)->seeds;
    return count < 0 ? json_null() : json_pack("{s:i, s:i}", "black", count, "white", count + 1);
}

static char *share(const void *record, const void *total)
{
    return record == total ? NULL : memory_format("%d/%d", ((const struct fruit *)record)->apples,
                                                  ((const struct fruit *)total)->apples);
}

static bool wanted(const void *subject)
{
    return *(const bool *)subject;
}

static const struct field fields[] = {
    { .key = "name", .title = "name", .place = 9, .value = name },
    { .key = "apples", .title = "apples", .place = 2, .right = true, .value = apples },
    { .title = "share", .place = 1, .right = true, .text = share },
    { .key = "half", .group = "parts", .shown = wanted, .value = half },
    { .key = "seeds", .title = "seeds", .place = 3, .shown = wanted, .value = seeds },
    { 0 },
};

static struct records records_of(const bool *more)
{
    return (struct records){ fields, more, fruits, 2, sizeof *fruits, &all };
}

/* What is printed of them in this format, as a new string. */
static char *print(bool more, enum output_format format)
{
    char *text = NULL;
    size_t size;
    struct output output = { .stream = open_memstream(&text, &size), .format = format };
    struct records records = records_of(&more);
    if (format == OUTPUT_TABLE) {
        records_print(&records, &output);
    } else {
        struct output_table *table = records_csv(&records, (const char *[]){ "shop" }, 1);
        records_csv_add(table, &records, (const char *[]){ "mine" }, 1);
        output_table_print(table, &output);
        output_table_free(table);
    }
    fclose(output.stream);
    return text;
}

static void columns_of_a_table_stand_by_their_place_and_a_total_below(void **state)
{
    (void)state;
    char *text = print(false, OUTPUT_TABLE);
    assert_string_equal(text, "share apples name\n"
                              "----- ------ --------\n"
                              " 3/15      3 jam, red\n"
                              "12/15     12 pie\n"
                              "----- ------ --------\n"
                              "          15 all\n");
    free(text);
    text = print(true, OUTPUT_TABLE);
    assert_string_equal(text, "share apples seeds            name\n"
                              "----- ------ ---------------- --------\n"
                              " 3/15      3 black 0, white 1 jam, red\n"
                              "12/15     12                  pie\n"
                              "----- ------ ---------------- --------\n"
                              "          15 black 0, white 1 all\n");
    free(text);
}

static void csv_has_a_column_for_each_key_behind_those_of_the_caller(void **state)
{
    (void)state;
    char *text = print(false, OUTPUT_CSV);
    assert_string_equal(text, "shop,name,apples\nmine,\"jam, red\",3\nmine,pie,12\n");
    free(text);
    text = print(true, OUTPUT_CSV);
    assert_string_equal(text, "shop,name,apples,half,seeds\n"
                              "mine,\"jam, red\",3,1.5,\"black 0, white 1\"\n"
                              "mine,pie,12,6,\n");
    free(text);
}

static void json_has_groups_as_objects_and_null_for_what_is_not_known(void **state)
{
    (void)state;
    bool more = true;
    struct records records = records_of(&more);
    json_t *is = records_json(&records);
    json_t *should = json_loads("[{\"name\": \"jam, red\", \"apples\": 3, \"parts\": {\"half\": 1.5},"
                                " \"seeds\": {\"black\": 0, \"white\": 1}},"
                                " {\"name\": \"pie\", \"apples\": 12, \"parts\": {\"half\": 6.0}, \"seeds\": null}]",
                                0, NULL);
    assert_non_null(should);
    assert_true(json_equal(is, should));
    json_decref(is);
    json_decref(should);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_a_table_stand_by_their_place_and_a_total_below),
        cmocka_unit_test(csv_has_a_column_for_each_key_behind_those_of_the_caller),
        cmocka_unit_test(json_has_groups_as_objects_and_null_for_what_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
