/* The range of an expression over a box: the enclosure, and how much of it is sure to be reached. */
#include "box.h"

#include "common/output_json.h"
#include "rump/formula/number.h"

#include <stdlib.h>

/* An end, rounded outwards (or inwards) to so many digits: a new string. */
static char *end_text(mpfr_srcptr end, size_t digits, mpfr_rnd_t rounding)
{
    struct decimal decimal = decimal_of_real(end, digits, rounding);
    char *text = decimal_text(decimal);
    free(decimal.digits);
    return text;
}

static json_t *inputs(const struct request *request)
{
    json_t *object = json_object();
    for (size_t i = 0; i < request->inputs; i++) {
        const struct input *input = request->input + i;
        json_object_set_new(object, input->name, input->upper ? json_sprintf("%s..%s", input->text, input->upper)
                                                              : json_string(input->text));
    }
    return object;
}

static void print_people(const struct request *request, char *const ends[4], struct output *output)
{
    fprintf(output->stream, "%s\n", request->expression ? request->expression : request->order->text);
    for (size_t i = 0; i < request->inputs; i++) {
        const struct input *input = request->input + i;
        fprintf(output->stream, "%s %s = %s%s%s", i ? "," : "over", input->name, input->text, input->upper ? ".." : "",
                input->upper ? input->upper : "");
    }
    fprintf(output->stream, "\n\nWithin     %s\n       to  %s\nReaches    %s\n       to  %s\n", ends[0], ends[1], ends[2],
            ends[3]);
}

void box_report(const struct request *request, const struct range *range, struct output *output)
{
    size_t digits = request->digits ? (size_t)request->digits : 16;
    char *ends[4] = { end_text(&range->within->left, digits, MPFR_RNDD), end_text(&range->within->right, digits, MPFR_RNDU),
                      end_text(&range->reached->left, digits, MPFR_RNDU), end_text(&range->reached->right, digits, MPFR_RNDD) };
    if (request->quiet)
        fprintf(output->stream, "%s..%s\n", ends[0], ends[1]);
    else if (output->format == OUTPUT_JSON)
        output_json(output, json_pack("{s:i, s:s, s:o, s:{s:s, s:s, s:s, s:s}}", "version", 1, "expression",
                                      request->expression ? request->expression : request->order->text, "variables",
                                      inputs(request), "range", "lower", ends[0], "upper", ends[1], "reached_lower", ends[2],
                                      "reached_upper", ends[3]));
    else if (output->format == OUTPUT_CSV)
        fprintf(output->stream, "lower,upper,reached_lower,reached_upper\n%s,%s,%s,%s\n", ends[0], ends[1], ends[2], ends[3]);
    else
        print_people(request, ends, output);
    for (int i = 0; i < 4; i++)
        free(ends[i]);
}
