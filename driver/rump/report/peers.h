/* The same formula in other programs, and the numbers that the article printed. */
#ifndef RUMP_REPORT_PEERS_H
#define RUMP_REPORT_PEERS_H

#include "rump/request.h"
#include "rump/study/study.h"

/* Run the programs that are installed, at the inputs a and b (integers or decimals), and judge what they print against
 * study->reference. The result is written to the output in the request's format. */
void peers_report(const struct request *request, const struct study *study, struct output *output);

/* Judge the numbers of the article of 2006; the study is that of its inputs. */
void peers_article(const struct request *request, const struct study *study, struct output *output);

#endif
